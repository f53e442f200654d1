/// Titles that have broken the output of other tools.
enum HostileText {
  static let titles = [
    "日本語のタイトルがとても長くて四十セルには入りきらないはずです", "👨‍👩‍👧‍👦 family", "🇫🇷🇩🇪 flags", "\u{2B07}\u{FE0F} down", "e\u{301}", "zero\u{200B}width",
    "مرحبا بالعالم", "left \u{202E}right\u{202C}", "a\tb", "line\r\nbreak", "\u{1B}]52;c;aGVsbG8=\u{7}",
    "\u{1B}[2J\u{1B}[H",
    "\u{9B}2J", "nul\u{0}", "del\u{7F}", "\u{2028}\u{2029}", "\u{2066}isolate\u{2069}", "back\\slash \\t", "padmé 👨‍👩‍👧‍👦",
    "— 家族",
  ]
}

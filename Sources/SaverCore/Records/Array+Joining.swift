extension [String] {
  /// What the standard library's function of this name gives, for arrays of texts.
  ///
  /// That one is generic, and compiled in the library: where a program first calls it, it looks for conformances in all
  /// of the executable, a fifteenth of the instructions of `saver list`. Code in this package takes this one by itself.
  package func joined(separator: String = "") -> String {
    var joined = ""
    for (index, text) in self.enumerated() {
      if index > 0 { joined += separator }
      joined += text
    }
    return joined
  }
}

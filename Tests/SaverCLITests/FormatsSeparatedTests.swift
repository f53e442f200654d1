import SaverCLI
import Testing

@Suite struct FormatsSeparatedTests {
  @Test(arguments: [
    (["a", "b"], "a,b\n"), (["a,b", "c\"d", "e\nf", "g\rh"], "\"a,b\",\"c\"\"d\",\"e\nf\",\"g\rh\"\n"),
    ([""], "\"\"\n"),
    (["", ""], ",\n"), ([" a", "b ", "c d"], "\" a\",\"b \",c d\n"), (["é 家族", "\u{1B}"], "é 家族,\u{1B}\n"),
    (["\r\n"], "\"\r\n\"\n"),
    (["=1+1"], "=1+1\n"),
  ])
  func csv(fields: [String], line: String) {
    var bytes: [UInt8] = []
    CSVText.append(row: fields, to: &bytes)
    #expect(bytes == Array(line.utf8))
  }

  @Test func tsvIsOneLineWithAllFields() {
    var bytes: [UInt8] = []
    TSVText.append(row: ["id", "a\tb\nc\r\n", #"back\slash"#, "", "\u{1B}[2J"], to: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == "id\ta\\tb\\nc\\r\\n\tback\\\\slash\t\t\\u{1B}[2J\n")
    #expect(bytes.count { $0 == 0x09 } == 4)
    #expect(bytes.count { $0 == 0x0A } == 1)
  }
}

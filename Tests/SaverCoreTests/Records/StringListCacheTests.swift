import Testing

@testable import SaverCore

/// The cache of lists gives what decoding gives, whatever it holds.
struct StringListCacheTests {
  private let cache = StringListCache()

  /// What the cache says of a slot with these bytes.
  private func list(_ json: String, kind: Slot.Kind = .jsonList, column: Int = 0) throws -> [String] {
    try Array(json.utf8).withUnsafeBytes { bytes in
      try cache.list(.bytes(kind, bytes.baseAddress, bytes.count), column)
    }
  }

  @Test(arguments: [RowWriter.ListEncoding.json, .messagePack])
  func agreesWithDecoding(_ encoding: RowWriter.ListEncoding) throws {
    var writer = RowWriter(columns: 1, listEncoding: encoding)
    // More lists than the cache has room for, many of one length, short and too long ones among them.
    let lists = (0..<500).map { number in
      (0..<number % 5).map { "\(number % 37 + $0)" + String(repeating: "x", count: number % 40) }
    }
    for list in lists + lists.reversed() + lists {
      writer.begin()
      writer.append(list: list)
      let found = try writer.finish { row in try cache.list(row[slot: 0], 0) }
      #expect(found == list)
    }
  }

  /// Equal length and equal hash, other bytes.
  @Test func collisions() throws {
    for _ in 0..<2 {
      #expect(try list(#"["aXb","cd","e"]"#) == ["aXb", "cd", "e"])
      #expect(try list(#"["aYb","cd","e"]"#) == ["aYb", "cd", "e"])
    }
  }

  @Test func errorsAreNotRemembered() {
    for column in 0..<3 {
      let error = #expect(throws: RowError.self) { try list(#"["a",1]"#, column: column) }
      #expect(error?.column == column)
    }
  }

  /// A blob with the bytes of a known list is no list.
  @Test func otherKindsAreRefused() throws {
    #expect(try list(#"["a","b"]"#, kind: .text) == ["a", "b"])
    #expect(throws: RowError.self) { try list(#"["a","b"]"#, kind: .blob) }
    #expect(throws: RowError.self) { try cache.list(.null, 0) }
    #expect(throws: RowError.self) { try cache.list(.integer(3), 0) }
  }

  @Test func rowsUseTheCache() throws {
    let lists: [[String]] = try Array(#"["a","b"]"#.utf8).withUnsafeBytes { bytes in
      let slots = [Slot.bytes(.jsonList, bytes.baseAddress, bytes.count)]
      return try slots.withUnsafeBufferPointer { slots in
        let row = RowView(slots: slots.baseAddress!, count: 1, lists: cache)
        return [try row[0], try row[0]]
      }
    }
    #expect(lists == [["a", "b"], ["a", "b"]])
  }
}

/// Decoding of lists of texts, from JSON and from MessagePack.
public enum StringList {
  /// The list that a slot holds.
  ///
  /// - Throws: ``RowError`` if the bytes are no list of texts: another JSON value, an element that is no string, invalid
  ///   UTF-8.
  public static func decode(_ slot: Slot, _ column: Int) throws -> [String] {
    let list: [String]? =
      switch slot.kind {
      case .packedList: decodeMessagePack(slot.bytes)
      case .jsonList, .text: decodeJSON(slot.bytes)
      case .null, .integer, .real, .blob: nil
      }
    guard let list else { throw RowError.mismatch(slot, column, wanted: "a list of texts") }
    return list
  }

  /// Whether a slot's list has an element that equals `element`, byte for byte. Decodes nothing where it can.
  public static func contains(_ slot: Slot, _ element: UnsafeRawBufferPointer, _ column: Int) throws -> Bool {
    if slot.kind == .packedList, var reader = MessagePackReader(slot.bytes), let count = reader.arrayHeader() {
      for _ in 0..<count {
        guard let text = reader.text() else { break }
        if text.elementsEqual(element) { return true }
      }
      return false
    }
    return try decode(slot, column).contains { $0.utf8.elementsEqual(element) }
  }

  static func decodeMessagePack(_ bytes: UnsafeRawBufferPointer) -> [String]? {
    guard var reader = MessagePackReader(bytes), let count = reader.arrayHeader(), count <= reader.remaining else {
      return nil
    }
    var list: [String] = []
    list.reserveCapacity(count)
    for _ in 0..<count {
      guard let text = reader.text(), let string = String(validating: text) else { return nil }
      list.append(string)
    }
    return list
  }

  static func decodeJSON(_ bytes: UnsafeRawBufferPointer) -> [String]? {
    var reader = JSONListReader(bytes)
    return reader.list()
  }
}

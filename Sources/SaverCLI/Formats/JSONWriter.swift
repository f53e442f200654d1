/// Writes JSON, compact, members in the order given, into bytes that can be taken out as they grow.
///
///     var json = JSONWriter()
///     json.object {
///       $0.member("id", "…")
///       $0.member("title", nil)
///       $0.member("tags", ["a", "b"])
///       $0.member("counts") { $0.object { $0.member("live", 3) } }
///     }
///     json.endLine()
///
/// A long array need not be in memory: `beginArray()`, values with `takeBytes()` between them, `endArray()`.
package struct JSONWriter: Sendable {
  /// What has been written and not taken.
  package private(set) var bytes: [UInt8] = []
  /// Whether a value stands before the next one in the same array or object.
  private var needsComma = false

  package init() {}

  /// The bytes written so far as text.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Empties the writer in the middle of whatever it writes.
  package mutating func takeBytes() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  /// Ends a line, between two values that are not in an array or object (JSON Lines).
  package mutating func endLine() {
    bytes.append(UInt8(ascii: "\n"))
    needsComma = false
  }

  // MARK: Values

  package mutating func value(_ text: String?) {
    guard let text else { return raw("null") }
    beginValue()
    JSONText.append(text, to: &bytes)
  }

  package mutating func value(_ number: some FixedWidthInteger) {
    raw(String(number))
  }

  package mutating func value(_ isTrue: Bool) {
    raw(isTrue ? "true" : "false")
  }

  package mutating func value(_ texts: [String]) {
    array { for text in texts { $0.value(text) } }
  }

  package mutating func null() {
    raw("null")
  }

  private mutating func raw(_ text: String) {
    beginValue()
    bytes += text.utf8
  }

  private mutating func beginValue() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  // MARK: Members

  package mutating func member(_ name: String, _ text: String?) {
    key(name)
    value(text)
  }

  package mutating func member(_ name: String, _ number: some FixedWidthInteger) {
    key(name)
    value(number)
  }

  package mutating func member(_ name: String, _ isTrue: Bool) {
    key(name)
    value(isTrue)
  }

  package mutating func member(_ name: String, _ texts: [String]) {
    key(name)
    value(texts)
  }

  /// A member whose value the closure writes: exactly one.
  package mutating func member(_ name: String, _ value: (inout JSONWriter) throws -> Void) rethrows {
    key(name)
    try value(&self)
  }

  private mutating func key(_ name: String) {
    value(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  // MARK: Containers

  /// An object whose members the closure writes.
  package mutating func object(_ members: (inout JSONWriter) throws -> Void) rethrows {
    beginObject()
    try members(&self)
    endObject()
  }

  /// An array whose values the closure writes.
  package mutating func array(_ values: (inout JSONWriter) throws -> Void) rethrows {
    beginArray()
    try values(&self)
    endArray()
  }

  package mutating func beginObject() { begin("{") }
  package mutating func endObject() { end("}") }
  package mutating func beginArray() { begin("[") }
  package mutating func endArray() { end("]") }

  private mutating func begin(_ bracket: Unicode.Scalar) {
    beginValue()
    bytes.append(UInt8(ascii: bracket))
    needsComma = false
  }

  private mutating func end(_ bracket: Unicode.Scalar) {
    bytes.append(UInt8(ascii: bracket))
    needsComma = true
  }
}

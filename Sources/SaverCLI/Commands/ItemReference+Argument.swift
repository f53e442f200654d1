import SaverKit

extension ArgumentType<ItemReference> {
  /// An item's id, or a part of it.
  static func item(_ placeholder: String = "ID") -> Self {
    ArgumentType(placeholder) { text throws(InvalidValue) in
      if text.isEmpty { throw InvalidValue("it is empty") }
      guard let reference = ItemReference(text) else {
        throw InvalidValue(
          "expected an id, or a beginning or end of one, of at least \(ItemReference.digitsMin) hexadecimal digits")
      }
      return reference
    }
  }
}

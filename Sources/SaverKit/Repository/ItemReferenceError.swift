public import FoundationEssentials
import SaverCore

/// A reference that names no item, or more than one.
public enum ItemReferenceError: Error, Hashable, Sendable {
  case notFound(ItemReference)
  /// With the ids that it could mean, the first few of them.
  case ambiguous(ItemReference, [UUID])
  /// The item was there a moment ago.
  case vanished(UUID)
}

extension ItemReferenceError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notFound(let reference): "there is no item \(reference)"
    case .ambiguous(let reference, let ids):
      "\(reference) is ambiguous: " + ids.map { $0.hexadecimal }.joined(separator: ", ")
    case .vanished(let id): "there is no item \(id.hexadecimal) any more"
    }
  }
}

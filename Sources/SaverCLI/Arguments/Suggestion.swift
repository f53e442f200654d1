/// The known word that was probably meant by an unknown one.
package enum Suggestion {
  /// The nearest candidate: one that the word begins or that is within a third of its letters, at least one, in edits;
  /// `nil` if none is. The earlier candidate wins a tie.
  package static func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
    let letters = Array(word.utf8)
    // Nothing that long is a slip of a known word; the distance is quadratic.
    guard !letters.isEmpty, letters.count <= 40 else { return nil }
    var best: (candidate: String, distance: Int)?
    for candidate in candidates {
      let isBeginning = letters.count >= 2 && candidate.utf8.starts(with: letters)
      let distance = isBeginning ? 1 : distance(letters, Array(candidate.utf8))
      guard distance <= max(1, letters.count / 3), distance < best?.distance ?? .max else { continue }
      // A single letter is one edit from every other.
      if letters.count == 1, candidate.utf8.first != letters[0] { continue }
      best = (candidate, distance)
    }
    return best?.candidate
  }

  /// The number of insertions, deletions, substitutions and swaps of neighbours that lead from one to the other.
  static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var beforeLast = [Int](repeating: 0, count: right.count + 1)
    var last = Array(0...right.count)
    for row in 0..<left.count {
      var current = [row + 1]
      current.reserveCapacity(right.count + 1)
      for column in 0..<right.count {
        var edits = min(
          last[column + 1] + 1, current[column] + 1, last[column] + (left[row] == right[column] ? 0 : 1))
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          edits = min(edits, beforeLast[column - 1] + 1)
        }
        current.append(edits)
      }
      beforeLast = last
      last = current
    }
    return last[right.count]
  }
}

import Foundation
import Testing

@testable import SaverCore
@testable import SaverTestKit

struct ChunkBufferTests {
  private func records(_ buffer: ChunkBuffer) -> [LiveSample] {
    (0..<buffer.count).map { buffer.record(at: $0, as: LiveSample.self) }
  }

  /// Random changes of a buffer and of its copies do to each what they do to an array.
  @Test func isAValueLikeAnArray() {
    var random = RandomGenerator.printed()
    var buffers = [ChunkBuffer(RecordChunk<LiveSample>(capacity: 0))]
    var arrays: [[LiveSample]] = [[]]
    for step in 0..<5_000 {
      let number = random.below(buffers.count)
      let other = random.below(buffers.count)
      switch random.below(6) {
      case 0, 1:
        buffers[number].append(LiveSample(step))
        arrays[number].append(LiveSample(step))
      case 2 where !arrays[other].isEmpty:
        let index = random.below(arrays[other].count)
        buffers[number].append(buffers[other].chunk, index)
        arrays[number].append(arrays[other][index])
      case 3 where !arrays[number].isEmpty:
        buffers[number].removeLast()
        arrays[number].removeLast()
      case 4 where arrays[number].count > 40:
        let count = random.below(arrays[number].count)
        buffers[number].removeFirst(count)
        arrays[number].removeFirst(count)
      case 5 where buffers.count < 5 || arrays[number].count + arrays[other].count < 60:
        if buffers.count < 5 {
          buffers.append(buffers[number])
          arrays.append(arrays[number])
        } else {
          buffers[number].append(contentsOf: buffers[other])
          arrays[number] += arrays[other]
        }
      default: continue
      }
      for (buffer, array) in zip(buffers, arrays) {
        let isSame = records(buffer) == array && (0..<array.count).allSatisfy { buffer.id(at: $0) == array[$0].id }
        #expect(isSame, "step \(step)")
      }
    }
    #expect(buffers[0].contains(arrays[0].first?.id ?? UUID()) == !arrays[0].isEmpty)
  }
}

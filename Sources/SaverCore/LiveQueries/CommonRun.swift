/// Records that stand side by side in the same order in two lists.
struct CommonRun: Hashable {
  var old: Int
  var new: Int
  var count: Int

  /// Which runs, given in their new order, can stay where they are so that as few records as possible move.
  ///
  /// They are the heaviest ones among those that stand in the same order in both lists.
  /// - Complexity: O(runs × log runs); O(runs) if nothing moves.
  static func staying(_ runs: [CommonRun]) -> [Bool] {
    if (1..<max(runs.count, 1)).allSatisfy({ runs[$0 - 1].old < runs[$0].old }) {
      return [Bool](repeating: true, count: runs.count)
    }
    // Ranks of the old places, and over them a tree of the heaviest chain that ends at a rank or before (Fenwick).
    let byOld = runs.indices.sorted { runs[$0].old < runs[$1].old }
    var rank = [Int](repeating: 0, count: runs.count)
    for (position, run) in byOld.enumerated() { rank[run] = position + 1 }
    var best = [(weight: Int, run: Int)](repeating: (0, -1), count: runs.count + 1)
    var previous = [Int](repeating: -1, count: runs.count)
    var last = (weight: 0, run: -1)
    for (number, run) in runs.enumerated() {
      var heaviest = (weight: 0, run: -1)
      var node = rank[number] - 1
      while node > 0 {
        if best[node].weight > heaviest.weight { heaviest = best[node] }
        node &= node - 1
      }
      previous[number] = heaviest.run
      let chain = (weight: heaviest.weight + run.count, run: number)
      if chain.weight > last.weight { last = chain }
      node = rank[number]
      while node <= runs.count {
        if chain.weight > best[node].weight { best[node] = chain }
        node += node & -node
      }
    }
    var staying = [Bool](repeating: false, count: runs.count)
    var run = last.run
    while run >= 0 {
      staying[run] = true
      run = previous[run]
    }
    return staying
  }
}

#if LMDB
import SaverCore

extension PageFile {
  /// A node of a page: a branch's child, or a leaf's key and value.
  struct Node {
    var key: ArraySlice<UInt8>
    /// The child of a branch, the first overflow page of a large value.
    var page = PageFile.noPage
    /// The value of a leaf; the number of bytes on overflow pages, if it is there.
    var value: ArraySlice<UInt8> = []
    var valueSize = 0
    var isDatabase = false
  }

  private enum Kind {
    static let branch: UInt16 = 1
    static let leaf: UInt16 = 2
    static let overflow: UInt16 = 4
  }

  private static let headerSize = 16
  private static let depthMax = 32

  /// The nodes of a branch or leaf page.
  private func nodes(_ page: [UInt8], _ number: UInt64) throws -> (isLeaf: Bool, nodes: [Node]) {
    let flags = UInt16(page, 10) & 0x6f
    let (lower, upper) = (Int(UInt16(page, 12)), Int(UInt16(page, 14)))
    guard flags == Kind.branch || flags == Kind.leaf, lower >= Self.headerSize, lower <= upper, upper <= pageSize
    else { throw Damage("page \(number) is no page of a tree") }
    let isLeaf = flags == Kind.leaf
    let count = (lower - Self.headerSize) / 2
    let nodes = try (0..<count).map { index in
      let start = Int(UInt16(page, Self.headerSize + 2 * index))
      guard start >= upper, start + 8 <= pageSize else { throw Damage("a node of page \(number) lies outside of it") }
      let (low, high, flags) = (UInt16(page, start), UInt16(page, start + 2), UInt16(page, start + 4))
      let keyEnd = start + 8 + Int(UInt16(page, start + 6))
      guard keyEnd <= pageSize else { throw Damage("a key of page \(number) lies outside of it") }
      var node = Node(key: page[start + 8..<keyEnd])
      guard isLeaf else {
        node.page = UInt64(low) | UInt64(high) << 16 | UInt64(flags) << 32
        return node
      }
      node.valueSize = Int(low) | Int(high) << 16
      let isOverflow = flags & 1 != 0
      node.isDatabase = flags & 2 != 0
      let stored = isOverflow ? 8 : node.valueSize
      guard keyEnd + stored <= pageSize else { throw Damage("a value of page \(number) lies outside of it") }
      if isOverflow {
        node.page = UInt64(page, keyEnd)
      } else {
        node.value = page[keyEnd..<keyEnd + stored]
      }
      return node
    }
    return (isLeaf, nodes)
  }

  // MARK: Looking up

  /// The root page of a named database; `nil` if there is none of the name.
  func root(ofDatabase name: String) throws -> UInt64? {
    guard let node = try node(Array(name.utf8), root: meta.mainRoot), node.isDatabase, node.value.count == 48 else {
      return nil
    }
    return UInt64(Array(node.value), 40)
  }

  /// The value of a key in the tree at `root`, if it is short enough to lie beside its key.
  func value(of key: String, root: UInt64) throws -> [UInt8]? {
    try node(Array(key.utf8), root: root).map { Array($0.value) }
  }

  private func node(_ key: [UInt8], root: UInt64) throws -> Node? {
    var number = root
    for _ in 0..<Self.depthMax {
      if number == Self.noPage { return nil }
      let (isLeaf, nodes) = try nodes(try page(number), number)
      if isLeaf { return nodes.first { $0.key.elementsEqual(key) } }
      // The first key of a branch stands for everything before the second.
      guard let child = nodes.dropFirst().last(where: { !key.lexicographicallyPrecedes($0.key) }) ?? nodes.first
      else { throw Damage("page \(number) has no nodes") }
      number = child.page
    }
    throw Damage("a tree is too deep")
  }

  // MARK: The free list

  /// Calls `body` with each page that the newest snapshot does not use.
  func forEachFreePage(_ body: (UInt64) -> Void) throws {
    var seen = Set<UInt64>()
    try walk(meta.freeRoot, depth: 0, isSorted: false, &seen) { node in
      // A list: its length, then the numbers, each of 8 bytes.
      var list = Array(node.value)
      if node.page != Self.noPage {
        guard let large = try bytes(at: Int(node.page) * pageSize + Self.headerSize, count: node.valueSize) else {
          throw Damage("a part of the free list is beyond its end")
        }
        list = large
      }
      guard list.count >= 8, let count = Int(exactly: UInt64(list, 0)), count <= list.count / 8 - 1 else {
        throw Damage("a part of the free list is not whole")
      }
      for index in 0..<count { body(UInt64(list, 8 * (index + 1))) }
    }
  }

  // MARK: Walking

  /// Reads every page that the newest meta page leads to.
  ///
  /// - Returns: the number of pages.
  /// - Throws: ``Damage``: a page beyond the end, out of place or of another kind, keys out of order, a page used twice.
  @discardableResult
  func walk() throws -> Int {
    var seen = Set<UInt64>()
    var databases: [UInt64] = []
    // The keys of the free list are numbers in the machine's byte order.
    try walk(meta.freeRoot, depth: 0, isSorted: false, &seen) { _ in }
    try walk(meta.mainRoot, depth: 0, isSorted: true, &seen) { node in
      guard node.isDatabase else { return }
      guard node.value.count == 48 else { throw Damage("the description of a database has the wrong size") }
      let description = Array(node.value)
      // Another program's database can have an order or duplicates of its own, which none of ours has.
      if UInt16(description, 4) == 0 { databases.append(UInt64(description, 40)) }
    }
    for root in databases { try walk(root, depth: 0, isSorted: true, &seen) { _ in } }
    return seen.count
  }

  private func walk(
    _ number: UInt64, depth: Int, isSorted: Bool, _ seen: inout Set<UInt64>, _ leaf: (Node) throws -> Void
  ) throws {
    if number == Self.noPage { return }
    guard depth < Self.depthMax else { throw Damage("a tree is too deep") }
    guard seen.insert(number).inserted else { throw Damage("page \(number) is used twice") }
    let (isLeaf, nodes) = try nodes(try page(number), number)
    if isSorted {
      // The first key of a branch is not looked at by anybody.
      for (one, next) in zip(nodes.dropFirst(isLeaf ? 0 : 1), nodes.dropFirst(isLeaf ? 1 : 2))
      where !one.key.lexicographicallyPrecedes(next.key) {
        throw Damage("the keys of page \(number) are out of order")
      }
    }
    for node in nodes {
      if !isLeaf {
        try walk(node.page, depth: depth + 1, isSorted: isSorted, &seen, leaf)
        continue
      }
      if node.page != Self.noPage { try checkOverflow(node, &seen) }
      try leaf(node)
    }
  }

  private func checkOverflow(_ node: Node, _ seen: inout Set<UInt64>) throws {
    let pages = (16 + node.valueSize + pageSize - 1) / pageSize
    let head = try page(node.page)
    guard UInt16(head, 10) & Kind.overflow != 0, UInt32(head, 12) >= pages,
      node.page + UInt64(pages) - 1 <= meta.lastPage, (Int(node.page) + pages) * pageSize <= size
    else { throw Damage("the large value at page \(node.page) is not whole") }
    for number in node.page..<node.page + UInt64(pages) where !seen.insert(number).inserted {
      throw Damage("page \(number) is used twice")
    }
  }
}
#endif

/// The names of the elements that are open.
///
/// PERF: memory of its own; to see at each tag whether an array is shared took longer than to push
/// a name.
struct ElementStack: ~Copyable {
  private struct Entry {
    let name: ElementName
    let role: ElementRole
  }

  /// How many elements are open.
  private(set) var depth = 0
  private let capacity: Int
  private let entries: UnsafeMutablePointer<Entry>
  /// The whole names of the elements whose name is not short.
  private var longNames: [[UInt8]] = []
  private var openStories = 0

  /// - Parameter capacity: More elements than that are never open.
  init(capacity: Int) {
    self.capacity = capacity
    entries = .allocate(capacity: capacity)
  }

  deinit {
    // Entries are trivial: nothing in them has to be destroyed.
    entries.deallocate()
  }

  var topRole: ElementRole { depth > 0 ? entries[depth &- 1].role : .other }
  var hasOpenStory: Bool { openStories > 0 }

  @inline(__always)
  mutating func push(
    _ bytes: UnsafeRawBufferPointer,
    _ range: Range<Int>,
    role: ElementRole,
  ) {
    precondition(depth < capacity, "whoever opens an element looks at the depth before")
    let name = ElementName(bytes, from: range.lowerBound, count: range.count)
    if !name.isShort { longNames.append(Array(bytes[range])) }
    if role == .story { openStories &+= 1 }
    entries[depth] = Entry(name: name, role: role)
    depth &+= 1
  }

  @inline(__always)
  mutating func pop() {
    guard depth > 0 else { return }
    depth &-= 1
    if !entries[depth].name.isShort { longNames.removeLast() }
    if entries[depth].role == .story { openStories &-= 1 }
  }

  /// The length of the innermost element's name if it stands at an offset, and `>` behind it.
  @inline(__always)
  func lengthOfTop(endingTagAt start: Int, _ bytes: UnsafeRawBufferPointer) -> Int? {
    guard depth > 0 else { return nil }
    let name = entries[depth &- 1].name
    guard name.isShort, start &+ name.count < bytes.count,
      bytes[start &+ name.count] == UInt8(ascii: ">"), name.isHead(of: bytes, from: start)
    else { return nil }
    return name.count
  }

  func isTop(_ name: UnsafeRawBufferPointer) -> Bool {
    depth > 0 && top.elementsEqual(name)
  }

  /// The name of the innermost element.
  var top: [UInt8] {
    guard depth > 0 else { return [] }
    let name = entries[depth - 1].name
    return name.isShort ? name.bytes : longNames.last ?? []
  }

  /// How deep the innermost element of a name lies: 1 is the top; nil when none is open.
  func height(of bytes: UnsafeRawBufferPointer, atMost limit: Int) -> Int? {
    let name = ElementName(bytes, from: 0, count: bytes.count)
    guard name.isShort else { return height(atMost: limit) { $0.elementsEqual(bytes) } }
    return heights(atMost: limit).first { entries[depth - $0].name == name }
  }

  /// How deep the innermost element lies whose name matches.
  func height(atMost limit: Int, where matches: ([UInt8]) -> Bool) -> Int? {
    var longIndex = longNames.count
    for height in heights(atMost: limit) {
      let name = entries[depth - height].name
      if !name.isShort { longIndex -= 1 }
      if matches(name.isShort ? name.bytes : longNames[longIndex]) { return height }
    }
    return nil
  }

  /// How deep the innermost story lies.
  var heightOfStory: Int? {
    heights(atMost: depth).first { entries[depth - $0].role == .story }
  }

  /// The name of the innermost story.
  var storyName: [UInt8] {
    heightOfStory.map { entries[depth - $0].name.bytes } ?? []
  }

  /// From the innermost element outwards.
  private func heights(atMost limit: Int) -> Range<Int> {
    1..<min(limit, depth) + 1
  }
}

/// The names of the elements that are open.
struct ElementStack {
  private struct Entry {
    let name: ElementName
    let role: ElementRole
  }

  private var entries: [Entry] = []
  /// The whole names of the elements whose name is not short.
  private var longNames: [[UInt8]] = []
  private var openStories = 0

  init() {
    entries.reserveCapacity(32)
  }

  @inline(__always)
  var depth: Int { entries.count }

  var topRole: ElementRole { entries.last?.role ?? .other }
  var hasOpenStory: Bool { openStories > 0 }

  @inline(__always)
  mutating func push(
    _ bytes: UnsafeRawBufferPointer,
    _ range: Range<Int>,
    role: ElementRole,
  ) {
    let name = ElementName(bytes, from: range.lowerBound, count: range.count)
    if !name.isShort { longNames.append(Array(bytes[range])) }
    if role == .story { openStories &+= 1 }
    entries.append(Entry(name: name, role: role))
  }

  @inline(__always)
  mutating func pop() {
    guard let entry = entries.popLast() else { return }
    if !entry.name.isShort { longNames.removeLast() }
    if entry.role == .story { openStories &-= 1 }
  }

  /// The length of the innermost element's name if it stands at an offset, and `>` behind it.
  @inline(__always)
  func lengthOfTop(endingTagAt start: Int, _ bytes: UnsafeRawBufferPointer) -> Int? {
    guard let name = entries.last?.name, name.isShort, start &+ name.count < bytes.count,
      bytes[start &+ name.count] == UInt8(ascii: ">"), name.isHead(of: bytes, from: start)
    else { return nil }
    return name.count
  }

  func isTop(_ name: UnsafeRawBufferPointer) -> Bool {
    depth > 0 && top.elementsEqual(name)
  }

  /// The name of the innermost element.
  var top: [UInt8] {
    guard let name = entries.last?.name else { return [] }
    return name.isShort ? name.bytes : longNames.last ?? []
  }

  /// How deep the innermost element of a name lies: 1 is the top; nil when none is open.
  func height(of bytes: UnsafeRawBufferPointer, atMost limit: Int) -> Int? {
    let name = ElementName(bytes, from: 0, count: bytes.count)
    guard name.isShort else { return height(atMost: limit) { $0.elementsEqual(bytes) } }
    return entries.reversed().prefix(limit).enumerated().first { $1.name == name }
      .map { $0.offset + 1 }
  }

  /// How deep the innermost element lies whose name matches.
  func height(atMost limit: Int, where matches: ([UInt8]) -> Bool) -> Int? {
    var longIndex = longNames.count
    for (height, entry) in entries.reversed().prefix(limit).enumerated() {
      if !entry.name.isShort { longIndex -= 1 }
      if matches(entry.name.isShort ? entry.name.bytes : longNames[longIndex]) { return height + 1 }
    }
    return nil
  }

  /// How deep the innermost story lies.
  var heightOfStory: Int? {
    entries.lastIndex { $0.role == .story }.map { entries.count - $0 }
  }

  /// The name of the innermost story.
  var storyName: [UInt8] {
    entries.last { $0.role == .story }?.name.bytes ?? []
  }
}

/// The names of the elements that are open.
struct ElementStack {
  private var names: [UInt8] = []
  private var starts: [Int] = []
  private var roles: [ElementRole] = []
  private var openStories = 0

  var depth: Int { starts.count }
  var topRole: ElementRole { roles.last ?? .other }
  var hasOpenStory: Bool { openStories > 0 }

  @inline(__always)
  mutating func push(_ name: UnsafeRawBufferPointer, role: ElementRole) {
    starts.append(names.count)
    roles.append(role)
    names.append(contentsOf: name)
    if role == .story { openStories &+= 1 }
  }

  @inline(__always)
  mutating func pop() {
    guard let start = starts.popLast(), let role = roles.popLast() else { return }
    names.removeLast(names.count &- start)
    if role == .story { openStories &-= 1 }
  }

  @inline(__always)
  func isTop(_ name: UnsafeRawBufferPointer) -> Bool {
    guard let start = starts.last, names.count &- start == name.count else { return false }
    for index in 0..<name.count where names[start &+ index] != name[index] { return false }
    return true
  }

  /// The name of the innermost element.
  var top: ArraySlice<UInt8> { names[(starts.last ?? 0)...] }

  /// How deep the innermost element of a name lies: 1 is the top; nil when none is open.
  func height(atMost limit: Int, where matches: (ArraySlice<UInt8>) -> Bool) -> Int? {
    var end = names.count
    for (height, start) in starts.reversed().prefix(limit).enumerated() {
      if matches(names[start..<end]) { return height + 1 }
      end = start
    }
    return nil
  }

  /// How deep the innermost story lies.
  var heightOfStory: Int? {
    roles.lastIndex(of: .story).map { roles.count - $0 }
  }

  /// The name of the innermost story.
  var storyName: ArraySlice<UInt8> {
    guard let index = roles.lastIndex(of: .story) else { return [] }
    return names[starts[index]..<(index + 1 < starts.count ? starts[index + 1] : names.count)]
  }
}

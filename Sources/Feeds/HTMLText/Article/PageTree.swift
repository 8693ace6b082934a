import HTMLParsing

/// A page's elements and texts in the order of the document: an element's content comes right
/// behind it.
struct PageTree: Sendable {
  struct Attribute: Sendable {
    let name: StaticString
    let value: String
  }

  struct Node: Sendable {
    var tag: PageTag
    var parent: Int
    /// The index behind the last node in it.
    var end: Int
    var names = PageNames()
    var marks: Marks = []
    var classNumber = 0
    /// The range in `PageTree.text` for a text, in `PageTree.attributes` for an element.
    var content = 0..<0
  }

  struct Marks: OptionSet, Sendable {
    let rawValue: UInt16

    static let within = Marks(rawValue: 1)
    static let articleBody = Marks(rawValue: 2)
    /// The role of a menu, a dialogue or the like.
    static let unlikelyRole = Marks(rawValue: 4)
    static let player = Marks(rawValue: 8)
    static let presentation = Marks(rawValue: 16)
    /// A table with a summary.
    static let described = Marks(rawValue: 32)
    static let field = Marks(rawValue: 64)
    /// A part that the page declares to be for subscribers only.
    static let limited = Marks(rawValue: 128)
    static let lines = Marks(rawValue: 256)
    /// A link to another site.
    static let elsewhere = Marks(rawValue: 512)
  }

  var nodes = [Node(tag: .document, parent: 0, end: 1)]
  var text: [UInt8] = []
  var attributes: [Attribute] = []
  var titles: [String] = []
  var description = PageDescription()
  var base: String?
  var claims = PageClaims()

  /// Returns true for each node that has a property or stands in a node that has it.
  func inherited(_ own: (Node) -> Bool) -> [Bool] { inherited(nodes.map(own)) }

  func inherited(_ own: [Bool]) -> [Bool] {
    var flags = own
    for index in nodes.indices.dropFirst() where flags[nodes[index].parent] { flags[index] = true }
    return flags
  }

  /// Returns true for each node that is a block or contains one.
  func blocks() -> [Bool] {
    var flags = nodes.map { !$0.tag.isPhrasing }
    for index in nodes.indices.dropFirst().reversed() where flags[index] {
      flags[nodes[index].parent] = true
    }
    return flags
  }
}

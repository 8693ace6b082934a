import FeedParsing

/// A page's elements and texts in the order of the document: an element's own come right behind it.
struct PageTree: Sendable {
  struct Attribute: Sendable {
    let name: StaticString
    let value: String
  }

  struct Node: Sendable {
    var tag: PageTag
    var parent: Int
    /// The first node that is not in it any more.
    var end: Int
    var names = PageNames()
    var marks: Marks = []
    /// Tells classes from one another; 0 for none.
    var classNumber = 0
    /// Of `PageTree.text` for a text, of `PageTree.attributes` for an element.
    var content = 0..<0
  }

  struct Marks: OptionSet, Sendable {
    let rawValue: UInt16

    /// A link to another place of the page.
    static let within = Marks(rawValue: 1)
    static let articleBody = Marks(rawValue: 2)
    /// Its role is a menu's, a dialogue's or the like.
    static let unlikelyRole = Marks(rawValue: 4)
    /// A frame that plays something.
    static let player = Marks(rawValue: 8)
    /// A table for the layout only.
    static let presentation = Marks(rawValue: 16)
    /// A table that says what it tells.
    static let described = Marks(rawValue: 32)
    /// Something that the reader is to fill in.
    static let field = Marks(rawValue: 64)
    /// By what the page says, not everybody may read it.
    static let limited = Marks(rawValue: 128)
    /// Line breaks in its text are meant.
    static let lines = Marks(rawValue: 256)
  }

  var nodes = [Node(tag: .document, parent: 0, end: 1)]
  /// UTF-8.
  var text: [UInt8] = []
  var attributes: [Attribute] = []
  /// What the page is called: its `title`, and `og:title`.
  var titles: [String] = []
  var description = PageDescription()
  /// What `base` says.
  var base: String?
  /// What the page says of its article to machines.
  var claims = PageClaims()

  /// Each node's, of what the node above it has and it itself.
  func inherited(_ own: (Node) -> Bool) -> [Bool] { inherited(nodes.map(own)) }

  func inherited(_ own: [Bool]) -> [Bool] {
    var flags = own
    for index in nodes.indices.dropFirst() where flags[nodes[index].parent] { flags[index] = true }
    return flags
  }

  /// Whether a node has a block in it or is one.
  func blocks() -> [Bool] {
    var flags = nodes.map { !$0.tag.isPhrasing }
    for index in nodes.indices.dropFirst().reversed() where flags[index] {
      flags[nodes[index].parent] = true
    }
    return flags
  }
}

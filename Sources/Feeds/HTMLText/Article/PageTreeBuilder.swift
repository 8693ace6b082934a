internal import HTMLParsing
internal import System

/// Makes a page's tree from the parser's events; stops at limits of text and attributes.
final class PageTreeBuilder: HTMLEventHandler {
  private(set) var tree = PageTree()
  private(set) var isCut = false
  private(set) var hasHidden = false
  var isReading: Bool { !isCut }
  /// The nodes of open elements; nil for an element that is not in the tree.
  private var open: [Int?] = []
  /// The `noscript` elements that are open, and whether each replaces a picture.
  private var standIns: [(depth: Int, isInstead: Bool)] = []
  /// The number of open elements outside of the one that is skipped with its content.
  private var skipped: Int?
  private var title: [UInt8]?
  private var attributeBytes = 0
  private var classes: [String: ClassName] = [:]
  private let takesHidden: Bool
  /// The beginning of a link within the page, and the site of the page where it has one.
  private let (ownPrefix, site): (String, String?)
  private static let maximumText = 3 << 20
  private static let maximumAttributes = 4 << 20
  private static let maximumValue = 8192
  private static let maximumTitle = 1024

  private struct ClassName {
    let number: Int
    let isLimited: Bool
    let names: PageNames
  }

  init(_ claims: PageClaims = PageClaims(), url: String = "", takesHidden: Bool = false) {
    tree.claims = claims
    (ownPrefix, site) = (url + "#", Self.site(url))
    self.takesHidden = takesHidden
  }

  func startElement(_ name: String, _ attributes: HTMLAttributes) {
    var node: Int?
    if skipped == nil {
      let isHidden = Self.isHidden(name, attributes)
      if isHidden || name == "template" || name == "noscript" { hasHidden = true }
      if isForeign(name) || isHidden && !takesHidden {
        skipped = open.count
        takeHead(name, attributes)
      } else {
        let isInstead = name == "noscript" && dropPlaceholder()
        node = add(PageTag.of(name), attributes)
        if name == "noscript", !takesHidden { standIns.append((open.count, isInstead)) }
        if PageTag.of(name) == .input { skipped = open.count }
      }
    }
    open.append(node)
  }

  func endElement(_ name: String) {
    guard let element = open.popLast() else { return }
    if let element { tree.nodes[element].end = tree.nodes.count }
    if let last = standIns.last, last.depth == open.count, let element {
      standIns.removeLast()
      if !standsIn(element, last.isInstead) { drop(element) }
    }
    if skipped == open.count { skipped = nil }
    if let title, name == "title" {
      let line = SafeText.line(String(decoding: title, as: UTF8.self))
      tree.titles.append(line)
      tree.description.title = tree.description.title ?? line
      self.title = nil
    }
  }

  func text(_ utf8: UnsafeBufferPointer<UInt8>) {
    guard skipped == nil else {
      if let title, title.count < Self.maximumTitle { self.title? += utf8 }
      return
    }
    let start = tree.text.count
    let whole = utf8.characters(atMost: Self.maximumText - start)
    if whole.count < utf8.count { isCut = true }
    tree.text += whole
    addText(start..<tree.text.count)
  }

  func finish() -> PageTree {
    for element in [0] + open.compactMap(\.self) { tree.nodes[element].end = tree.nodes.count }
    return tree
  }

  /// Removes an empty picture before a `noscript` element that has the real one (Readability's
  /// `_unwrapNoscriptImages`).
  private func dropPlaceholder() -> Bool {
    var last = tree.nodes.count - 1
    if tree.nodes[last].tag == .text, tree.nodes[last].parent == parent, last > 0,
      tree.text[tree.nodes[last].content].allSatisfy({ $0 <= 0x20 })
    {
      last -= 1
    }
    let node = tree.nodes[last]
    guard node.tag == .img, node.parent == parent, !hasSource(node) else { return false }
    tree.nodes[last].tag = .other
    return true
  }

  private func hasSource(_ picture: PageTree.Node) -> Bool {
    tree.attributes[picture.content].contains {
      "\($0.name)" != "alt" && $0.value.contains("/") && !$0.value.hasPrefix("data:")
    }
  }

  /// Returns true for a `noscript` element with pictures or players alone, in place of what a script
  /// would show; its text asks for the script, or is of somebody who counts visits.
  private func standsIn(_ element: Int, _ isInstead: Bool) -> Bool {
    if isInstead { return true }
    let content = tree.nodes[element + 1..<tree.nodes.count]
    let outer = tree.nodes[element].parent
    var sibling = element - 1
    while sibling > outer, tree.nodes[sibling].parent != outer {
      sibling = tree.nodes[sibling].parent
    }
    return !tree.nodes[outer].tag.isBody
      && content.contains { $0.tag == .img || $0.marks.contains(.player) }
      && content.allSatisfy { node in
        node.tag != .text || tree.text[node.content].allSatisfy { $0 <= 0x20 }
      }
      && !tree.nodes[max(sibling, element - 16)..<element].contains {
        $0.tag == .img && hasSource($0)
      }
  }

  private func drop(_ element: Int) {
    tree.text.removeLast(
      tree.text.count
        - (tree.nodes[element...].first { $0.tag == .text }?.content.lowerBound ?? tree.text.count)
    )
    tree.nodes.removeLast(tree.nodes.count - element)
  }

  private var parent: Int { open.last?.flatMap(\.self) ?? 0 }

  private func addText(_ content: Range<Int>) {
    let last = tree.nodes.count - 1
    if tree.nodes[last].tag == .text, tree.nodes[last].parent == parent {
      tree.nodes[last].content = tree.nodes[last].content.lowerBound..<content.upperBound
    } else {
      var node = PageTree.Node(tag: .text, parent: parent, end: last + 2)
      node.content = content
      tree.nodes.append(node)
    }
  }

  private func add(_ tag: PageTag, _ attributes: HTMLAttributes) -> Int {
    var node = PageTree.Node(tag: tag, parent: parent, end: tree.nodes.count + 1)
    let className = attributes["class"] ?? ""
    let isPart = tag == .section || tag.isHeading || className == "section"
    node.names = PageNames(class: "", id: attributes["id"] ?? "", isPart: isPart)
    node.marks = Self.marks(tag, attributes)
    if tag == .a { node.marks.formUnion(linkMarks(attributes["href"] ?? "")) }
    if !className.isEmpty {
      let name = self.className(className)
      node.classNumber = name.number
      node.names.formUnion(name.names)
      if name.isLimited { node.marks.insert(.limited) }
    }
    let start = tree.attributes.count
    for name in tag.attributes {
      guard let value = attributes[name], value.utf8.count <= Self.maximumValue else { continue }
      attributeBytes += value.utf8.count
      guard attributeBytes <= Self.maximumAttributes else { break }
      tree.attributes.append(PageTree.Attribute(name: name, value: value))
    }
    node.content = start..<tree.attributes.count
    tree.nodes.append(node)
    return tree.nodes.count - 1
  }

  /// PERF: names are looked up once a class; most elements of a page share theirs with others.
  private func className(_ text: String) -> ClassName {
    if let name = classes[text] { return name }
    let limited = tree.claims.limitedClasses
    let isLimited =
      !limited.isEmpty
      && text.lowercased().split(separator: " ").contains { limited.contains(String($0)) }
    let name = ClassName(
      number: classes.count + 1,
      isLimited: isLimited,
      names: PageNames(class: text, id: ""),
    )
    classes[text] = name
    return name
  }
}

extension PageTreeBuilder {
  private func isForeign(_ name: String) -> Bool {
    switch name {
    case "noscript": false
    case "template": !takesHidden
    // The heading of a part that a click opens.
    case "button": !tree.nodes[parent].tag.isHeading
    default: Self.foreign.contains(name)
    }
  }

  private func linkMarks(_ link: String) -> PageTree.Marks {
    if link.hasPrefix("#") || link.hasPrefix(ownPrefix) { return .within }
    guard link.hasPrefix("http") || link.hasPrefix("//"), let site, let other = Self.site(link)
    else { return [] }
    let isOwn = other == site || other.hasSuffix(".\(site)") || site.hasSuffix(".\(other)")
    return isOwn ? [] : .elsewhere
  }

  private static func site(_ url: String) -> String? {
    host(url).map { $0.hasPrefix("www.") ? String($0.dropFirst(4)) : $0 }
  }

  private static func host(_ url: String) -> String? {
    WebURL.host(of: url.hasPrefix("//") ? "https:\(url)" : url)
  }

  private func takeHead(_ name: String, _ attributes: HTMLAttributes) {
    switch name {
    case "title" where tree.titles.count < 2: title = []
    case "base" where tree.base == nil: tree.base = attributes["href"]
    case "meta": takeMeta(attributes)
    case "link":
      let (rel, type) = (attributes["rel"], attributes["type"])
      tree.description.take(icon: attributes["href"], rel: rel, type: type)
    default: break
    }
  }

  private func takeMeta(_ attributes: HTMLAttributes) {
    guard let name = attributes["property"] ?? attributes["itemprop"] ?? attributes["name"],
      let content = attributes["content"]
    else { return }
    tree.description.take(name, content)
    if name == "og:title" {
      if tree.titles.count < 2 { tree.titles.append(SafeText.line(content)) }
    } else {
      tree.claims.add(property: name, content: content)
    }
  }

  private static let foreign: Set<String> = [
    "script", "style", "title", "base", "meta", "link", "svg", "canvas",
    "map", "applet", "datalist", "frameset", "noframes", "dialog", "menu", "option", "object",
    "progress", "meter", "param", "track",
  ]

  private static func isHidden(_ name: String, _ attributes: HTMLAttributes) -> Bool {
    // Pages that show themselves by a script hide the whole of it first.
    if name == "body" || name == "html" { return false }
    if attributes["aria-modal"] == "true" { return true }
    if attributes["aria-hidden"] == "true", attributes["class"]?.contains("fallback-image") != true
    {
      return true
    }
    return attributes.areHidden
  }

  private static func marks(_ tag: PageTag, _ attributes: HTMLAttributes) -> PageTree.Marks {
    var marks: PageTree.Marks = []
    if let role = attributes["role"] {
      if unlikelyRoles.contains(role) { marks.insert(.unlikelyRole) }
      if role == "presentation" || role == "none" { marks.insert(.presentation) }
    }
    if attributes.keepLines == true { marks.insert(.lines) }
    if attributes["itemprop"]?.split(separator: " ").contains("articleBody") == true
      || attributes["property"].map(bodyProperties.contains) == true
    {
      marks.insert(.articleBody)
    }
    switch tag {
    case .iframe, .embed: if isPlayer(attributes["src"] ?? "") { marks.insert(.player) }
    case .table: if attributes["summary"]?.isEmpty == false { marks.insert(.described) }
    case .input: if isField(attributes["type"]) { marks.insert(.field) }
    default: break
    }
    return marks
  }

  /// The properties of an article's body in RDFa.
  private static let bodyProperties: Set<String> = [
    "articleBody", "schema:articleBody", "content:encoded", "schema:text",
  ]

  /// Returns false for the boxes of a list of tasks, and for buttons, of which each listing of code
  /// has one.
  private static func isField(_ type: String?) -> Bool {
    !["checkbox", "hidden", "button", "submit", "image", "reset"].contains(type?.lowercased())
  }

  private static let unlikelyRoles: Set<String> = [
    "menu", "menubar", "complementary", "navigation", "alert", "alertdialog", "dialog",
  ]

  private static func isPlayer(_ url: String) -> Bool {
    let host = host(url) ?? ""
    return players.contains { host == $0 || host.hasSuffix(".\($0)") }
  }

  private static let players = [
    "youtube.com", "youtube-nocookie.com", "vimeo.com", "dailymotion.com", "twitch.tv",
    "archive.org", "upload.wikimedia.org", "soundcloud.com", "bilibili.com", "qq.com",
  ]
}

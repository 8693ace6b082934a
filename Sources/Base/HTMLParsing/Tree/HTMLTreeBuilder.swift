import System

/// The tree construction of HTML, as in browsers without scripts (HTML §13.2.6).
///
/// The time is linear: the number of open elements is bounded, and so is that of reopened ones.
struct HTMLTreeBuilder {
  enum Mode {
    case initial, beforeHTML, beforeHead, inHead, inHeadNoscript, afterHead, inBody, inText
    case inTable, inCaption, inColumnGroup, inTableBody, inRow, inCell, inTemplate
    case afterBody, inFrameset, afterFrameset, afterAfterBody, afterAfterFrameset
  }

  struct Context {
    var tag: HTMLTag
    var space = HTMLTree.Space.html

    static let body = Context(tag: .body)
  }

  var tree: HTMLTree
  var tokenizer: HTMLTokenizer
  var mode = Mode.initial
  var outerMode = Mode.inBody
  var templateModes: [Mode] = []
  var open: [Int32] = []
  /// The active formatting elements; `none` is a marker, which begins those of a cell or the like.
  var formatting: [Int32] = []
  var context: Int32 = HTMLTree.Node.none
  var head: Int32 = HTMLTree.Node.none
  var form: Int32 = HTMLTree.Node.none
  var mayBeFrameset = true
  var isQuirky = false
  var isFostering = false
  var skipsLineFeed = false
  var tableText: [UInt8] = []
  var reopened = 0
  var startTags = 0
  private var lookaheadsLeft = 64
  /// The number of flattened elements of a name that have not ended.
  var flattened: [HTMLTag: Int] = [:]

  static let maximumDepth = 256
  static let moreDepth = 32
  static let maximumNodes = 200_000
  static let none = HTMLTree.Node.none

  init(_ bytes: UnsafeRawBufferPointer, tree: HTMLTree, context: Context?) {
    self.tree = tree
    tokenizer = HTMLTokenizer(bytes)
    guard let context else { return }
    self.context = self.tree.add(HTMLTree.Node(tag: context.tag, space: context.space))
    if context.space == .html { enter(context.tag, until: "") }
    if context.tag == .template { templateModes.append(.inTemplate) }
    if context.tag == .form, context.space == .html { form = self.context }
    self.tree.root = insert(synthetic: .html)
    resetMode()
  }

  mutating func build() {
    while true {
      tokenizer.hasSections = !open.isEmpty && tree[adjusted].space != .html
      let token = tokenizer.next()
      switch token {
      case .text, .reference: break
      default:
        skipsLineFeed = false
        if !tableText.isEmpty { endTableText() }
      }
      switch token {
      case .text(let range): text(UnsafeRawBufferPointer(rebasing: tokenizer.bytes[range]))
      case .reference(let reference):
        reference.withBytes { text($0) }
      case .startTag: startTag()
      case .endTag: endTag(HTMLTag.of(tokenizer.bytes[tokenizer.name]))
      case .doctype(let type) where mode == .initial:
        (mode, isQuirky) = (.beforeHTML, type.isQuirky(tokenizer.bytes))
      case .doctype, .comment, .nothing: break
      case .end:
        end()
        return
      }
    }
  }

  private mutating func end() {
    if mode == .inText { end(.unknown, in: mode) }
    while isOpen(.template) { endTemplate() }
    while [.initial, .beforeHTML, .beforeHead, .inHead, .inHeadNoscript, .afterHead].contains(mode)
    {
      advance()
    }
  }

  // MARK: Text

  private mutating func text(_ bytes: UnsafeRawBufferPointer) {
    var bytes = bytes
    if skipsLineFeed {
      skipsLineFeed = false
      if bytes.first == 0x0A { bytes = UnsafeRawBufferPointer(rebasing: bytes.dropFirst()) }
    }
    while !bytes.isEmpty {
      let isSpace = bytes[0].isHTMLSpace
      var end = bytes.count
      if bytes[0] == 0 {
        end = 1
      } else if let zero = ByteScan.first(0, in: bytes, from: 1) {
        end = zero
      }
      if !takesAnyText {
        end = bytes[..<end].firstIndex { $0.isHTMLSpace != isSpace } ?? end
      }
      take(UnsafeRawBufferPointer(rebasing: bytes[..<end]), isSpace: isSpace)
      bytes = UnsafeRawBufferPointer(rebasing: bytes[end...])
    }
  }

  private var takesAnyText: Bool {
    switch mode {
    case .inBody, .inText, .inCell, .inCaption, .inTemplate: true
    default: false
    }
  }

  private mutating func take(_ text: UnsafeRawBufferPointer, isSpace: Bool) {
    if !open.isEmpty, isForeign(adjusted), !isIntegrationPoint(adjusted) {
      if text[0] == 0 { return insertReplacement() }
      if !text.allSatisfy(\.isHTMLSpace) { mayBeFrameset = false }
      return insert(text: text)
    }
    while true {
      switch mode {
      case .inText: return insert(text: text)
      case .initial, .beforeHTML, .beforeHead: if isSpace { return }
      case .inHead, .inHeadNoscript, .afterHead, .inColumnGroup:
        if isSpace { return insert(text: text) }
        if mode == .inColumnGroup, htmlTag(current) != .colgroup { return }
      case .inFrameset, .afterFrameset: return isSpace ? insert(text: text) : ()
      case .afterAfterFrameset: return isSpace ? takeInBody(text) : ()
      case .afterBody, .afterAfterBody: if isSpace { return takeInBody(text) }
      case .inTable, .inTableBody, .inRow:
        guard htmlTag(current).isFostering || htmlTag(current) == .template else {
          return takeFostered(text)
        }
        if text[0] != 0 { tableText += text }
        return
      case .inBody, .inCell, .inCaption, .inTemplate: return takeInBody(text)
      }
      advance()
    }
  }

  private mutating func takeInBody(_ text: UnsafeRawBufferPointer) {
    guard text[0] != 0 else { return }
    reopenFormatting()
    if mayBeFrameset, !text.allSatisfy(\.isHTMLSpace) { mayBeFrameset = false }
    insert(text: text)
  }

  private mutating func takeFostered(_ text: UnsafeRawBufferPointer) {
    fostering { $0.takeInBody(text) }
  }

  mutating func fostering(_ body: (inout Self) -> Void) {
    isFostering = true
    body(&self)
    isFostering = false
  }

  private mutating func endTableText() {
    let text = tableText
    tableText = []
    text.withUnsafeBytes { text in
      if text.allSatisfy(\.isHTMLSpace) { insert(text: text) } else { takeFostered(text) }
    }
  }

  mutating func advance() {
    switch mode {
    case .initial: (mode, isQuirky) = (.beforeHTML, true)
    case .beforeHTML:
      insert(synthetic: .html)
      mode = .beforeHead
    case .beforeHead:
      head = insert(synthetic: .head)
      mode = .inHead
    case .inHead:
      pop()
      mode = .afterHead
    case .inHeadNoscript:
      pop()
      mode = .inHead
    case .afterHead:
      insert(synthetic: .body)
      mode = .inBody
    case .inColumnGroup:
      pop()
      mode = .inTable
    default: mode = .inBody
    }
  }

  // MARK: Tags

  private mutating func startTag() {
    let tag = HTMLTag.of(tokenizer.bytes[tokenizer.name])
    startTags += 1
    let isForeign = !open.isEmpty && isForeign(adjusted)
    if tag == .unknown, !isForeign, isTypeName() {
      let bytes = tokenizer.bytes[(tokenizer.name.lowerBound - 1)..<tokenizer.position]
      return text(UnsafeRawBufferPointer(rebasing: bytes))
    }
    if isTooDeep(tag) { return flatten(tag) }
    if isForeign, !takesStartTag(adjusted, tag) {
      startForeign(tag)
    } else {
      start(tag, in: mode)
    }
  }

  /// True of a tag that is the name of a type or of a file, and no element: `vector<int>`, `<stdio.h>`.
  private mutating func isTypeName() -> Bool {
    let (name, bytes) = (tokenizer.name, tokenizer.bytes)
    let isWithin =
      name.lowerBound > 1 && bytes[name.lowerBound - 2].isNamePart
      && tokenizer.byte(at: tokenizer.position)?.isNamePart != true
    guard tokenizer.attributes.isEmpty, !tokenizer.isSelfClosing, lookaheadsLeft > 0,
      isWithin || bytes[name].contains(where: { $0 == 0x2E || $0 == 0x40 })
    else { return false }
    lookaheadsLeft -= 1
    return tokenizer.isLone
  }

  private mutating func endTag(_ tag: HTMLTag) {
    if let count = flattened[tag], count > 0 {
      flattened[tag] = count - 1
      if tag.isSpecial, tree.nodes.count < Self.maximumNodes {
        addFlattened(insert(synthetic: tag))
      }
    } else if !open.isEmpty, isForeign(current) {
      endForeign(tag)
    } else {
      end(tag, in: mode)
    }
  }

  /// True of an element nested too deeply; elements that have no elements inside may be.
  private func isTooDeep(_ tag: HTMLTag) -> Bool {
    if tree.nodes.count >= Self.maximumNodes { return true }
    // An element that is more than its text may be nested a little deeper.
    let maximum = Self.maximumDepth + (tag.isLostWhenFlat ? Self.moreDepth : 0)
    return open.count >= maximum && !tag.isVoid && !tag.isRaw && tag != .image
      && !(tag.isOfTable && mode != .inBody)
  }

  private mutating func flatten(_ tag: HTMLTag) {
    if tree.nodes.count >= Self.maximumNodes {
      tree.isCut = true
      withUnsafeBytes(of: UInt8(0x20)) { insert(text: $0) }
      return
    }
    if tag.isLostWhenFlat { tree.isCut = true }
    addFlattened(insert(tag, space: open.isEmpty ? .html : tree[adjusted].space))
    if !tokenizer.isSelfClosing { flattened[tag, default: 0] += 1 }
  }

  private mutating func addFlattened(_ node: Int32) {
    tree[node].isFlattened = true
    open.removeLast()
  }
}

extension HTMLDoctype {
  /// True for pages in quirks mode (HTML §13.2.6.4.1).
  func isQuirky(_ bytes: UnsafeRawBufferPointer) -> Bool {
    func text(_ range: Range<Int>?) -> String? {
      range.map { String(decoding: bytes[$0], as: UTF8.self).lowercased() }
    }
    guard isCorrect, text(name) == "html" else { return true }
    let id = text(publicID) ?? ""
    if text(systemID) == "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd" {
      return true
    }
    if ["-//w3o//dtd w3 html strict 3.0//en//", "-/w3c/dtd html 4.0 transitional/en", "html"]
      .contains(id) || Self.quirky.contains(where: id.hasPrefix)
    {
      return true
    }
    let ofFour = ["-//w3c//dtd html 4.01 frameset//", "-//w3c//dtd html 4.01 transitional//"]
    return systemID == nil && ofFour.contains(where: id.hasPrefix)
  }

  private static let quirky = [
    "+//silmaril//", "-//as//", "-//advasoft ltd//", "-//ietf//", "-//metrius//", "-//microsoft//",
    "-//netscape comm. corp.//", "-//o'reilly and associates//", "-//sq//", "-//softquad",
    "-//spyglass//", "-//sun microsystems", "-//w3c//dtd html 3", "-//w3c//dtd html 4.0 frameset//",
    "-//w3c//dtd html 4.0 transitional//", "-//w3c//dtd html experimental", "-//w3c//dtd w3 html",
    "-//w3o//", "-//webtechs//",
  ]
}

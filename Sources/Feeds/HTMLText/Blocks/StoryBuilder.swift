internal import FeedModel
internal import HTMLParsing
internal import System

final class StoryBuilder: HTMLEventHandler {
  struct State {
    var marks: StoryMarks = []
    var link: String?
    /// True in a link to another place of the text.
    var isNote = false
    var isHidden = false
    var isPreformatted = false
    /// True where line breaks are meant though white space collapses.
    var keepsLines = false
    /// True in content for browsers without scripts, of which only pictures are taken.
    var isInstead = false
    /// True in a drawing, of which only the title is text, and in a player, which has none.
    var isWordless = false
  }

  enum Ending {
    case nothing
    case block
    case paragraph
    case frame
    case rowGroup
    case text(String)
    case abbreviation(String)
    /// The label is shown for a link without content.
    case link(label: String, start: Int)
    case drawingTitle
  }

  var isReading: Bool { true }
  let references: StoryReferences
  var state = State()
  var frames = [StoryFrame(.document)]
  var paragraph = StoryParagraph()
  /// True if a blank line stands before the next paragraph.
  var hasGap = true
  var pictures: Set<Substring> = []
  /// The last of them, if it came from content for browsers without scripts.
  var picture: Substring?
  /// The address of the first form that a `picture` has, for an image without one of its own.
  var offered: String?
  private var open: [(outer: State, ending: Ending)] = []
  private var buffer: [UInt8] = []
  private var explained: Set<String> = []

  init(_ references: StoryReferences) {
    self.references = references
  }

  func startElement(_ name: String, _ attributes: HTMLAttributes) {
    takeText()
    let outer = state
    if attributes.areHidden {
      if let role = HTMLRole.of(name), role == .block || role == .paragraph {
        endParagraph()
        if role == .paragraph { hasGap = true }
      }
      state.isHidden = true
    }
    if let keepsLines = attributes.keepLines { state.keepsLines = keepsLines }
    var ending = Ending.nothing
    if !state.isHidden, let role = role(name, attributes) {
      if state.isInstead {
        if role == .image { addInstead(attributes) }
      } else {
        ending = state.isWordless ? startWordless(role, attributes) : start(role, attributes)
      }
    }
    if case .nothing = ending, attributes["role"] == "img", let label = attributes["aria-label"] {
      ending = .link(label: SafeText.line(label), start: paragraph.inlines.count)
    }
    open.append((outer, ending))
  }

  private func role(_ name: String, _ attributes: HTMLAttributes) -> HTMLRole? {
    let role = HTMLRole.of(name)
    let isBlock = role == .block || role == .paragraph
    return isBlock && state.keepsLines && attributes.arePreformatted ? .preformatted : role
  }

  func text(_ utf8: UnsafeBufferPointer<UInt8>) {
    if !state.isHidden, !state.isWordless, !state.isInstead { buffer += utf8 }
  }

  func finish() -> [StoryBlock] {
    takeText()
    endParagraph()
    while frames.count > 1 { endFrame() }
    return frames[0].blocks
  }

  func append(_ text: String) {
    if state.isPreformatted {
      paragraph.append(preformatted: text, marks: state.marks, link: state.link)
    } else if state.keepsLines {
      let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      for (index, line) in lines.enumerated() {
        if index > 0 { breakLine() }
        paragraph.append(String(line), marks: state.marks, link: state.link)
      }
    } else {
      paragraph.append(text, marks: state.marks, link: state.link)
    }
  }

  func endParagraph() {
    let inlines = paragraph.take()
    guard !inlines.isEmpty, !inlines.allSatisfy(Self.isBlank) else { return }
    defer { hasGap = false }
    let last = frames.count - 1
    if !hasGap, !state.isPreformatted, frames[last].addLine(inlines) { return }
    frames[last].append(state.isPreformatted ? .preformatted(inlines) : .paragraph(inlines))
  }

  func endElement(_ name: String) {
    guard let element = open.popLast() else { return }
    if case .drawingTitle = element.ending { takeDrawingTitle() } else { takeText() }
    switch element.ending {
    case .nothing, .drawingTitle: break
    case .block, .paragraph:
      if element.outer.isPreformatted { paragraph.beginLine() } else { endParagraph() }
      if case .paragraph = element.ending { hasGap = true }
    case .frame:
      endParagraph()
      endFrame()
      hasGap = true
    case .rowGroup:
      endParagraph()
      frames[frames.count - 1].endRowGroup()
    case .text(let text): append(text)
    case .abbreviation(let title): if explained.insert(title).inserted { append(" (\(title))") }
    case .link(let label, let start):
      if !label.isEmpty, paragraph.inlines.count == start { append(label) }
    }
    state = element.outer
  }

  private func endFrame() {
    let frame = frames.removeLast()
    frames[frames.count - 1].append(frame)
  }

  private func takeText() {
    guard !buffer.isEmpty else { return }
    var text = String(decoding: buffer, as: UTF8.self)
    buffer.removeAll(keepingCapacity: true)
    if state.isNote, case .heading? = frames.last?.kind,
      Self.anchors.contains(SafeText.line(text))
    {
      return
    }
    guard state.isNote, state.marks.contains(.raised) else { return append(text) }
    text = RaisedText.note(SafeText.line(text))
    paragraph.append(
      text,
      marks: state.marks.subtracting(.raised),
      link: state.link,
    )
  }

  /// The links by which the headings of some pages lead to themselves.
  private static let anchors: Set<String> = ["¶", "§", "#", "🔗", "⚓", "∞"]

  private func takeDrawingTitle() {
    let text = SafeText.line(String(decoding: buffer, as: UTF8.self))
    buffer.removeAll()
    guard !text.isEmpty else { return }
    paragraph.append(StoryImage(text: text, url: nil, link: state.link))
  }

  private func startWordless(_ role: HTMLRole, _ attributes: HTMLAttributes) -> Ending {
    if frames.last?.kind == .media {
      if role == .source { _ = start(role, attributes) }
    } else if role == .title {
      state.isWordless = false
      return .drawingTitle
    }
    return .nothing
  }

  private static func isBlank(_ inline: StoryInline) -> Bool {
    guard case .text(let run) = inline else { return false }
    return run.text.allSatisfy(\.isWhitespace)
  }
}

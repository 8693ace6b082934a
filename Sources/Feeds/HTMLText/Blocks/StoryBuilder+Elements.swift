internal import FeedModel
internal import HTMLParsing
internal import System

extension StoryBuilder {
  func start(_ role: HTMLRole, _ attributes: HTMLAttributes) -> Ending {
    switch role {
    case .hidden, .title: state.isHidden = true
    case .block: return startBlock(.block)
    // Lines of code, which some number so.
    case .list, .item:
      return state.isPreformatted ? startBlock(.block) : startFrame(role, attributes)
    case .paragraph:
      defer { hasGap = true }
      return startBlock(.paragraph)
    case .rowGroup:
      _ = startBlock(.block)
      frames[frames.count - 1].endRowGroup()
      return .rowGroup
    case .preformatted:
      endParagraph()
      state.isPreformatted = true
      return .paragraph
    case .marked(let marks): state.marks.formUnion(marks)
    case .link: return startLink(attributes, label: "title")
    case .area:
      append(" ")
      return startLink(attributes, label: "alt")
    case .quoted:
      append("“")
      return .text("”")
    case .rubyText:
      append("(")
      return .text(")")
    case .abbreviation:
      let title = SafeText.line(attributes["title"] ?? "")
      return title.isEmpty ? .nothing : .abbreviation(title)
    case .lineBreak: breakLine()
    case .rule:
      endParagraph()
      frames[frames.count - 1].append(.rule)
    case .image: addImage(attributes)
    case .media(let kind): return startMedia(kind, attributes)
    case .source: addSource(attributes)
    case .drawing: state.isWordless = true
    case .instead: state.isInstead = true
    default: return startFrame(role, attributes)
    }
    return .nothing
  }

  private func startBlock(_ ending: Ending) -> Ending {
    if state.isPreformatted { paragraph.beginLine() } else { endParagraph() }
    return ending
  }

  private func startFrame(_ role: HTMLRole, _ attributes: HTMLAttributes) -> Ending {
    endParagraph()
    state.isPreformatted = false
    if role == .frame(.summary) { state.marks.insert(.strong) }
    guard let kind = Self.kind(role, attributes) else { return .paragraph }
    frames.append(StoryFrame(kind))
    return .frame
  }

  private static func kind(_ role: HTMLRole, _ attributes: HTMLAttributes) -> StoryFrame.Kind? {
    switch role {
    case .frame(let kind): kind
    case .list(let isOrdered): .list(isOrdered ? ordering(attributes) : nil)
    case .item: .item(value: number(attributes["value"], itemNumbers))
    case .cell(let isHeader):
      .cell(
        isHeader: isHeader,
        columns: number(attributes["colspan"], 1...maximumSpan) ?? 1,
        rows: number(attributes["rowspan"], 0...maximumSpan) ?? 1,
      )
    default: nil
    }
  }

  private static func ordering(_ attributes: HTMLAttributes) -> StoryOrdering {
    StoryOrdering(
      start: number(attributes["start"], itemNumbers),
      isReversed: attributes["reversed"] != nil,
      numbering: numbering(attributes),
    )
  }

  private static func numbering(_ attributes: HTMLAttributes) -> StoryNumbering {
    if let type = attributes["type"], let numbering = StoryNumbering(rawValue: type) {
      return numbering
    }
    let style = attributes.style
    return StoryNumbering.allCases.first { style.contains("list-style-type:\($0.styleName)") }
      ?? .decimal
  }

  private static let itemNumbers = -9_999...999_999
  private static let maximumSpan = 100

  private static func number(_ text: String?, _ range: ClosedRange<Int>) -> Int? {
    guard let text, let number = Int(text.prefix(12)) else { return nil }
    return min(max(number, range.lowerBound), range.upperBound)
  }

  func breakLine() {
    if state.isPreformatted {
      append("\n")
    } else if paragraph.endsWithBreak || paragraph.isEmpty {
      endParagraph()
      hasGap = true
    } else {
      paragraph.appendBreak()
    }
  }

  private func startLink(_ attributes: HTMLAttributes, label name: StaticString) -> Ending {
    guard let reference = attributes["href"] else { return .nothing }
    state.link = nil
    switch references.target(reference) {
    case .url(let url): state.link = url
    case .within: state.isNote = true
    case nil: break
    }
    guard state.link != nil else { return .nothing }
    let label = SafeText.line(attributes["aria-label"] ?? attributes[name] ?? "")
    return .link(label: label, start: paragraph.inlines.count)
  }
}

// MARK: - Pictures and sounds

extension StoryBuilder {
  private func addImage(_ attributes: HTMLAttributes) {
    guard !Self.isPixel(attributes) else { return }
    let alternative = SafeText.line(attributes["alt"] ?? "")
    if !alternative.isEmpty, Self.isText(alternative, attributes) {
      return append(StoryMarkup.formula(alternative))
    }
    let text = PictureCaption.line(alternative, title: SafeText.line(attributes["title"] ?? ""))
    let url = imageURL(attributes) ?? offered
    offered = nil
    guard url != nil || !text.isEmpty else { return }
    // Pages show without scripts the picture that a script puts right behind it.
    let isTold = picture != nil && isBehindPicture && (url == nil || url.map(Self.path) == picture)
    picture = nil
    guard !isTold else { return }
    if let url { pictures.insert(Self.path(url)) }
    paragraph.append(StoryImage(text: text, url: url, link: state.link))
  }

  func addInstead(_ attributes: HTMLAttributes) {
    guard let url = imageURL(attributes), !pictures.contains(Self.path(url)) else { return }
    if isBehindPicture, !paragraph.removePlaceholder() { return }
    addImage(attributes)
    picture = Self.path(url)
  }

  private var isBehindPicture: Bool { paragraph.lastImage != nil }

  private func imageURL(_ attributes: HTMLAttributes) -> String? {
    let late = first(of: Self.lateNames, attributes)
    let own = first(of: ["src", "data"], attributes)
    let isBlank = own.map { url in Self.blanks.contains(where: url.lowercased().contains) } ?? true
    return late ?? (isBlank ? nil : own) ?? widest(of: Self.lateSets, attributes) ?? own
      ?? widest(of: ["srcset"], attributes)
  }

  /// Words in the addresses of pictures that wait for others.
  private static let blanks = [
    "placeholder", "blank", "spacer", "loading", "lazy", "1x1", "pixel", "transparent", "grey.",
  ]

  private func first(of names: [StaticString], _ attributes: HTMLAttributes) -> String? {
    names.lazy.compactMap { self.url(attributes[$0]) }.first
  }

  /// Returns the widest address of an image in several sizes that is not wider than is asked for:
  /// `a.png 320w, b.png 640w`.
  private func widest(of names: [StaticString], _ attributes: HTMLAttributes) -> String? {
    let wanted = attributes["width"].flatMap { Int($0) } ?? Self.enough
    return names.lazy.compactMap { name in
      let candidates = Self.candidates(attributes[name] ?? "")
      return candidates.filter { $0.width <= wanted }.max { $0.width < $1.width }
        ?? candidates.min { $0.width < $1.width }
    }.compactMap { self.url($0.url) }.first
  }

  private static let enough = 2000

  private static func candidates(_ set: String) -> [(url: String, width: Int)] {
    var candidates: [(url: String, width: Int)] = []
    var isEnded = true
    for word in set.split(whereSeparator: \.isWhitespace) where word != "," {
      if isEnded {
        candidates.append((String(word.last == "," ? word.dropLast() : word), 0))
      } else if let width = Int(word.prefix { $0.isNumber }), word.contains("w") {
        candidates[candidates.count - 1].width = width
      }
      isEnded = word.last == ","
    }
    return candidates
  }

  private static func path(_ url: String) -> Substring { url.prefix { $0 != "?" && $0 != "#" } }

  /// The attributes in which pages that load their images late have the address; `src` is a blank
  /// one then.
  private static let lateNames: [StaticString] = [
    "data-src", "data-lazy-src", "data-original", "data-actualsrc",
  ]
  private static let lateSets: [StaticString] = ["data-srcset", "data-lazy-srcset"]

  private func url(_ reference: String?) -> String? {
    reference.flatMap { references.url(SafeText.line($0)) }
  }

  /// Returns true for an invisible image, which tells its server who reads.
  private static func isPixel(_ attributes: HTMLAttributes) -> Bool {
    let sizes = [attributes["width"], attributes["height"]].compactMap { text in
      text.flatMap { Int($0.prefix { $0.isNumber }) }
    }
    if !sizes.isEmpty, sizes.allSatisfy({ $0 <= 1 }) { return true }
    let styled = attributes.style.split(separator: ";").filter { property in
      ["width:", "height:", "max-width:", "max-height:"].contains(where: property.hasPrefix)
    }
    return !styled.isEmpty && styled.allSatisfy(isTiny)
  }

  /// Returns true for a property of style such as `width:1px!important`.
  private static func isTiny(_ property: Substring) -> Bool {
    var length = property.drop { $0 != ":" }.dropFirst()
    if length.hasSuffix("!important") { length = length.dropLast(10) }
    if length.hasSuffix("px") { length = length.dropLast(2) }
    return Double(length).map { 0..<2 ~= $0 } ?? false
  }

  /// Returns true for the picture of a text: an emoji, a formula.
  private static func isText(_ text: String, _ attributes: HTMLAttributes) -> Bool {
    let kind = attributes["class"] ?? ""
    return ["emoji", "smiley", "mwe-math-fallback"].contains(where: kind.contains)
      || kind.split(separator: " ").contains { $0 == "latex" || $0 == "tex" }
      || text.count == 1 && text.utf8.count > 2
  }

  private func startMedia(_ kind: StoryMedia.Kind, _ attributes: HTMLAttributes) -> Ending {
    guard !Self.isPixel(attributes) else {
      state.isHidden = true
      return .nothing
    }
    endParagraph()
    if kind == .video, let url = url(attributes["poster"]) {
      paragraph.append(StoryImage(text: "", url: url))
      endParagraph()
    }
    let title = attributes["title"] ?? attributes["aria-label"] ?? ""
    var frame = StoryFrame(.media)
    frame.media = StoryMedia(
      kind,
      title: SafeText.line(title),
      type: attributes["type"].map { SafeText.line($0) },
      url: url(attributes["src"] ?? attributes["data-src"] ?? attributes["data"])
        ?? attributes["data-videoid"].flatMap { url("https://www.youtube.com/watch?v=\($0)") },
    )
    frames.append(frame)
    state.isWordless = true
    return .frame
  }

  private func addSource(_ attributes: HTMLAttributes) {
    let last = frames.count - 1
    guard let media = frames[last].media else {
      offered = offered ?? imageURL(attributes)
      return
    }
    guard media.url == nil else { return }
    frames[last].media?.url = url(attributes["src"])
    if let type = attributes["type"] { frames[last].media?.type = SafeText.line(type) }
  }
}

import System

extension FeedDocumentHandler {
  /// Keeps a `media:content` as a file, or as a picture of the story.
  ///
  /// A picture with a type is a file, like an `enclosure`: each of a gallery may be wanted. Those
  /// of a group are one picture.
  func keepMedia(_ attributes: XMLAttributes) {
    let group = frames.last?.element == .mediaGroup ? draft.groups : 0
    let isFile = group == 0 && attributes.raw("type")?.isEmpty == false
    draft.picture = isPicture(attributes) ? attributes.value("url", into: buffer) : nil
    if !isFile, let url = draft.picture {
      return keepPicture(url, .content, attributes, group: group)
    }
    guard keepEnclosure(attributes, url: "url", length: "fileSize", group: group),
      let last = draft.enclosures.indices.last
    else { return }
    let height = ["height", "bitrate"].compactMap { (name: StaticString) in
      attributes.raw(name).flatMap { Int($0.string) }
    }.first
    draft.enclosures[last].rank = attributes.has("isDefault", "true") ? .max : height ?? 0
  }

  private func isPicture(_ attributes: XMLAttributes) -> Bool {
    if let type = attributes.raw("type"), !type.isEmpty { return type.hasPrefix("image/") }
    if let medium = attributes.raw("medium"), !medium.isEmpty {
      return medium.isEqual(ignoringCase: "image")
    }
    // The Guardian's pictures have neither type nor medium.
    return attributes.raw("url").map(PictureDraft.isNamedAsPicture) ?? false
  }

  func startPicture(_ code: FeedElementCode, _ attributes: XMLAttributes) -> Scope? {
    let url = attributes.value("href", into: buffer) ?? attributes.value("url", into: buffer)
    guard let url else { return startText(code, attributes) }
    keepPicture(url, code.element == .picture ? .own : .thumbnail, attributes)
    return nil
  }

  /// Returns the address at a text's beginning.
  ///
  /// Some write an `image` for each story as RSS has that of a channel, with title and link behind
  /// it.
  func firstWord(_ span: TextSpan) -> TextSpan {
    let word = buffer.bytes(span).prefix { !$0.isXMLWhitespace }
    return TextSpan(start: span.start, end: span.start + word.count)
  }

  func keepPicture(
    _ url: TextSpan,
    _ source: PictureDraft.Source,
    _ attributes: XMLAttributes? = nil,
    group: Int = 0,
  ) {
    guard !url.isEmpty, !PictureDraft.isOfAuthor(buffer.bytes(url)),
      attributes.map(PictureDraft.isPixel) != true
    else { return }
    draft.pictures.appendWithinLimit(
      PictureDraft(url: url, source: source, attributes, group: group, base: bases.current)
    )
  }
}

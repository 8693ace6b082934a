import System

extension FeedDocumentHandler {
  /// Keeps a `media:content` as a file, or as a picture of the story.
  ///
  /// A picture with a type is a file, like an `enclosure`: each of a gallery may be wanted.
  func keepMedia(_ attributes: XMLAttributes) {
    guard isPicture(attributes), let url = attributes.value("url", into: buffer) else {
      keepEnclosure(attributes, url: "url", length: "fileSize", isMedia: true)
      return
    }
    keepPicture(url, .content, width: attributes.raw("width").flatMap { Int($0.string) } ?? 0)
  }

  private func isPicture(_ attributes: XMLAttributes) -> Bool {
    guard attributes.raw("type")?.isEmpty ?? true else { return false }
    if let medium = attributes.raw("medium"), !medium.isEmpty {
      return medium.isEqual(ignoringCase: "image")
    }
    // The Guardian's pictures have neither type nor medium.
    return attributes.raw("url").map(PictureDraft.isNamedAsPicture) ?? false
  }

  func startPicture(_ code: FeedElementCode, _ attributes: XMLAttributes) -> Scope? {
    let url = attributes.value("href", into: buffer) ?? attributes.value("url", into: buffer)
    guard let url else { return startText(code, attributes) }
    let width = attributes.raw("width").flatMap { Int($0.string) } ?? 0
    keepPicture(url, code.element == .picture ? .own : .thumbnail, width: width)
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

  func keepPicture(_ url: TextSpan, _ source: PictureDraft.Source, width: Int = 0) {
    guard !url.isEmpty, !PictureDraft.isOfAuthor(buffer.bytes(url)) else { return }
    draft.pictures.appendWithinLimit(
      PictureDraft(url: url, source: source, width: width, base: bases.current)
    )
  }
}

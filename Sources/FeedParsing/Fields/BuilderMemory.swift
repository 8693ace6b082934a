/// What one builder of items leaves for the next: memory, and texts that come again and again.
final class BuilderMemory {
  /// Memory for texts in the making.
  let scratch = TextBuffer()
  /// The texts of the item that is built.
  let texts = TextBuffer()
  let authors = ShortTexts()
  let categories = ShortTexts()
}

internal import FeedModel
internal import HTMLParsing
package import System

/// The beginning of a story's words, as they are shown and searched.
package enum StorySummary {
  /// Appends the summary of a piece of HTML; of pictures alone it has the captions.
  package static func append(html: UnsafeBufferPointer<UInt8>, to output: TextBuffer) {
    if !QuickText.append(html, for: .summary, to: output) { output.append(thorough(html)) }
  }

  static func thorough(_ html: UnsafeBufferPointer<UInt8>) -> String {
    // PERF: of a text of a megabyte it nearly always is enough.
    let window = UnsafeBufferPointer(rebasing: html.prefix(PlainText.maximumWindow))
    let line = Self.line(window)
    let beginning = PlainText.beginning(of: line)
    if window.count == html.count || beginning != line { return beginning }
    return PlainText.beginning(of: Self.line(html))
  }

  private static func line(_ html: UnsafeBufferPointer<UInt8>) -> String {
    let text = StoryText(isHTML: true, bytes: Array(html))
    let words = text.lineWithoutPictures
    return words.isEmpty ? text.line : words
  }
}

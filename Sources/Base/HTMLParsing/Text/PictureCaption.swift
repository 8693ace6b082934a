package enum PictureCaption {
  /// Returns what is said of a picture: `alt — title`, or one of them where the other says no more.
  package static func line(_ alternative: String, title: String) -> String {
    if title.isEmpty || alternative.contains(title) { return alternative }
    return alternative.isEmpty ? title : "\(alternative) — \(title)"
  }
}

internal import FeedModel

extension Item {
  /// What the rule of identity (`ItemID.key`) looks at: the rest of a story may be more than can be
  /// read.
  ///
  /// The text of each field comes from `string`.
  init(
    identityFrom string: (ItemField) throws(StorageError) -> String?
  ) throws(StorageError) {
    let title = try string(.title) ?? ""
    self.init(
      title: title,
      link: try string(.link) ?? "",
      pubDate: try string(.pubDate) ?? "",
      guid: try string(.guid),
    )
    // It takes the place of a title.
    if title.isEmpty { summary = try string(.summary) }
  }
}

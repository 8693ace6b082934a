/// The keys of a story's dictionary in the data file (design §3).
enum ItemField: String, CaseIterable {
  case id, title, pubDate, link, guid, guidIsPermaLink, date, stored, feeds, author, summary
  case categories, enclosures, read, starred, matched, changed, previous
}

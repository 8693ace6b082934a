/// How many stories there are of something.
struct StoryCounts: Hashable, Sendable {
  var total = 0
  var unread = 0
}

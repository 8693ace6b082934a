package struct RefreshProgress: Hashable, Sendable {
  package var done: Int
  package var total: Int
  package var stories: Int
  /// The hosts that are being asked, four at most, in alphabetical order.
  package var hosts: [String]
  package var seconds: Double
  package var isOfPages = false

  package init(done: Int, total: Int, stories: Int, hosts: [String], seconds: Double) {
    self.done = done
    self.total = total
    self.stories = stories
    self.hosts = hosts
    self.seconds = seconds
  }
}

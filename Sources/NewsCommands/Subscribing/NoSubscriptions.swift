/// What `refresh` and `fetch` say when there is nothing to ask.
enum NoSubscriptions {
  static let error = CommandError.failed(
    "no subscriptions yet; subscribe to a feed with `news subscribe URL` or `news import FILE`"
  )
}

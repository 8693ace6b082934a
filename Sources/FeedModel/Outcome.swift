/// What a background fetch found, in one word.
package enum Outcome: String, Hashable, Sendable {
  case newData
  case noData
  case failed
}

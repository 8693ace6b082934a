/// What `--color` may say.
enum ColorChoice: String, CaseIterable, Sendable {
  case auto
  case always
  case never
}

/// Numbers of things, with the right form of the word.
enum Count {
  static func of(_ number: Int, _ one: String, _ many: String? = nil) -> String {
    "\(number) " + (number == 1 ? one : many ?? one + "s")
  }
}

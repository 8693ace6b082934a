/// Prints an array one element a line, as it comes, so that a long one is never held whole.
struct JSONArrayPrinter {
  private let output: TextOutput
  private var isEmpty = true

  init(_ output: TextOutput) {
    self.output = output
  }

  mutating func print(_ value: JSONValue) {
    output.print((isEmpty ? "[\n" : ",\n") + value.description)
    isEmpty = false
  }

  func finish() {
    output.printLine(isEmpty ? "[]" : "\n]")
  }
}

/// What is known of the terminal that the process talks to.
package struct TerminalFacts: Hashable, Sendable {
  package var isInputTerminal = false
  package var isOutputTerminal = false
  package var isErrorTerminal = false
  /// Columns of the window, where the system knows them.
  package var columns: Int?
  package var rows: Int?

  package init() {}

  /// The terminal behind the standard descriptors.
  package static func standard() -> TerminalFacts {
    var facts = TerminalFacts()
    facts.isInputTerminal = SystemCalls.isTerminal(0)
    facts.isOutputTerminal = SystemCalls.isTerminal(1)
    facts.isErrorTerminal = SystemCalls.isTerminal(2)
    let descriptor: Int32? = facts.isOutputTerminal ? 1 : facts.isErrorTerminal ? 2 : nil
    if let descriptor, let size = SystemCalls.windowSize(descriptor) {
      facts.columns = size.columns
      facts.rows = size.rows
    }
    return facts
  }
}

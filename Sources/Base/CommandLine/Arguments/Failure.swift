internal import System

/// An error that is told to people as it stands.
///
/// Errors that a caller tells apart by their cases are enumerations instead.
package struct Failure: Error, Hashable, Sendable {
  /// The text, in lower case and without a full stop: what, where, and the limit.
  package let message: String
  /// The lines below the message that list what can be chosen.
  package let choices: [String]
  package let status: ExitStatus
  /// The option whose value names what is not there, and that value.
  package fileprivate(set) var source: [String] = []
  /// The command whose help explains wrong words; nil for that of `news`.
  private var command: String?

  package init(_ message: String, choices: [String] = [], status: ExitStatus = .failed) {
    (self.message, self.choices, self.status) = (message, choices, status)
  }

  /// Creates the failure as which an error of any type is told.
  package init(_ error: any Error) {
    self = error as? Failure ?? Failure("\(error)")
  }

  /// Returns the failure of wrong words; it refers to a command's help.
  package static func usage(_ message: String, command: String?) -> Failure {
    var failure = Failure(message, status: .usage)
    failure.command = command
    return failure
  }

  package var lines: [String] {
    let line = SafeText.line(message)
    guard status == .usage else { return [line] + choices.map { "  " + $0 } }
    return ["\(line) (see `news \(command.map { "\($0) " } ?? "")--help`)"]
  }
}

extension CommandOption {
  /// Looks up what a value of the option names; a failure says that it came by that value.
  package func lookUp(_ value: String, _ body: () throws -> Void) throws {
    do { try body() } catch {
      var failure = Failure(error)
      failure.source = [key, value]
      throw failure
    }
  }
}

extension Failure: CustomStringConvertible {
  package var description: String { lines.joined(separator: "; ") }
}

extension Error {
  /// The lines in which the error is told: the reason, and what can be chosen.
  package var lines: [String] { Failure(self).lines }
  /// The first of the lines.
  package var line: String { lines[0] }
}

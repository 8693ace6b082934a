internal import CPCRE2
internal import CommandLine
package import System

extension LibraryFault {
  package static var pcre2: LibraryFault? { LibraryFault(.pcre2, loading: cpcre2_load()) }
}

/// A regular expression of PCRE2 for folded texts: case and diacritics do not count.
///
/// `@unchecked`: compiled code is never written to again (pcre2(3), "MULTITHREADING").
package final class TextExpression: Hashable, @unchecked Sendable {
  package let source: String
  private let code: UnsafeMutableRawPointer

  package init(_ source: String) throws {
    if let fault = LibraryFault.pcre2 { throw Failure(fault.sentence) }
    let pattern = Array(Self.folded(source).utf8)
    var message = [CChar](repeating: 0, count: 128)
    guard let code = cpcre2_compile(pattern, pattern.count, &message) else {
      let words = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      throw Failure(String(decoding: words, as: UTF8.self))
    }
    self.source = source
    self.code = code
  }

  deinit {
    cpcre2_free(code)
  }

  /// Folds the letters of an expression, but not those that a backslash gives a meaning.
  private static func folded(_ source: String) -> String {
    var folded = String.UnicodeScalarView()
    var isEscaped = false
    for scalar in source.unicodeScalars {
      if isEscaped || scalar == "\\" {
        folded.append(scalar)
        isEscaped.toggle()
      } else {
        TextFolding.fold(scalar.value) { Unicode.Scalar($0).map { folded.append($0) } }
      }
    }
    return String(folded)
  }

  package static func == (one: TextExpression, other: TextExpression) -> Bool {
    one.source.unicodeScalars.elementsEqual(other.source.unicodeScalars)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(source)
  }

  final class Matcher {
    private let expression: TextExpression
    private let memory: UnsafeMutableRawPointer?

    init(_ expression: TextExpression) {
      self.expression = expression
      memory = cpcre2_match_data()
    }

    deinit {
      if let memory { cpcre2_free_match_data(memory) }
    }

    /// Searches texts that are each followed by `FoldedText.end`; no match spans two of them.
    ///
    /// With `hurries` it gives up early.
    func matches(_ texts: UnsafeBufferPointer<UInt8>, hurries: Bool = false) throws -> Bool {
      guard let memory else { throw Failure("--grep: there is no memory for an expression") }
      var start = 0
      while let base = texts.baseAddress, let end = texts[start...].firstIndex(of: FoldedText.end) {
        let result = cpcre2_match(
          expression.code,
          base + start,
          end - start,
          memory,
          hurries ? 1 : 0,
        )
        switch Int(result) {
        case CPCRE2_MATCH: return true
        case CPCRE2_NO_MATCH: start = end + 1
        case _ where hurries: throw RuleTimes.isOver
        default:
          throw Failure(
            "--grep: this expression goes back and forth in a text more than 1000000 times;"
              + " say it more simply"
          )
        }
      }
      return false
    }
  }
}

package import System

/// A date in a user's format of strftime(3), in the C locale (POSIX).
package struct DateFormat: Hashable, Sendable {
  private enum Piece: Hashable, Sendable {
    case text(String)
    case conversion(Character)
  }

  /// The conversions that are the same on every system.
  private static let conversions: Set<Character> = Set("%ntYCymbhBdejaAuwGVHIklMSpszZFDTRcxXr")

  private let pieces: [Piece]

  package init(_ text: String) throws {
    var pieces: [Piece] = []
    var rest = text[...]
    while let character = rest.popFirst() {
      guard character == "%" else {
        pieces.append(.text(String(character)))
        continue
      }
      guard let conversion = rest.popFirst(), Self.conversions.contains(conversion) else {
        let conversion = String(text[..<rest.startIndex].suffix(2))
        throw Failure("\(Spelling.quoted(conversion)) is no part of a date's form")
      }
      pieces.append(.conversion(conversion))
    }
    self.pieces = pieces
  }

  package func text(_ instant: Int, clock: WallClock) -> String {
    let time = clock.civilTime(instant).parts
    return pieces.map { piece in
      switch piece {
      case .text(let text): text
      // The C library would take its own time zone for these.
      case .conversion("s"): String(instant)
      case .conversion("z"): clock.offsetText(instant)
      case .conversion("Z"): clock.zone(instant)
      case .conversion(let conversion): Self.text(conversion, time)
      }
    }.joined()
  }

  /// Converts in the C locale, because nobody calls `setlocale`.
  private static func text(_ conversion: Character, _ time: tm) -> String {
    var time = time
    // The longest is that of `%c`: 24 characters, a year of more than four digits apart.
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
      guard let base = buffer.baseAddress,
        strftime(base, buffer.count, "%\(conversion)", &time) > 0
      else { return "" }
      return String(cString: base)
    }
  }
}

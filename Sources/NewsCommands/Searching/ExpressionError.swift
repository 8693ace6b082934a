/// Why a text is no regular expression, or is refused as one.
enum ExpressionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A bracket that lacks its partner.
  case unpaired(Character)
  case nothingToRepeat(Character)
  /// The first number is the greater one, or one is above the limit.
  case wrongCount(limit: Int)
  case backwardRange(String)
  case unknownEscape(Character)
  case unknownClass(String)
  case reference
  case unfinished
  case unsupportedGroup
  case tooDeep(limit: Int)
  case tooLarge

  var description: String {
    switch self {
    case .unpaired(let bracket): "\(bracket) without its partner"
    case .nothingToRepeat(let sign): "nothing to repeat before \(sign)"
    case .wrongCount(let limit): "counts in {…} ascend to \(limit) at most"
    case .backwardRange(let range): "the range \(range) goes backwards"
    case .unknownEscape(let character): "\\\(character) means nothing"
    case .unknownClass(let name): "there is no class [:\(name):]"
    case .reference: "references to groups such as \\1 are not supported"
    case .unfinished: "a backslash at the end"
    case .unsupportedGroup: "of groups that begin with (? only (?:…) is supported"
    case .tooDeep(let limit): "groups are nested deeper than \(limit)"
    case .tooLarge: "it is too large"
    }
  }
}

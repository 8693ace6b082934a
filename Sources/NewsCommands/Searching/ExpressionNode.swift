/// A regular expression as it was read.
indirect enum ExpressionNode: Hashable, Sendable {
  /// One scalar of a set.
  case scalar(ScalarSet)
  case assertion(Assertion)
  /// One after the other; none is the empty text.
  case sequence([ExpressionNode])
  case alternatives([ExpressionNode])
  /// nil for no maximum.
  case repetition(ExpressionNode, minimum: Int, maximum: Int?)

  /// What has to be so at a place between two scalars.
  enum Assertion: Hashable, Sendable {
    case start, end, wordBoundary, noWordBoundary
  }
}

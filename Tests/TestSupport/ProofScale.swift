package enum ProofScale {
  /// `NEWS_PROOF_SCALE` in the environment: a longer run does this many times as much; 1 without
  /// it.
  package static let factor = getenv("NEWS_PROOF_SCALE").flatMap { Int(String(cString: $0)) } ?? 1
}

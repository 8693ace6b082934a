import TestSupport
import Testing

/// Random histories of all commands that change anything, in real homes, beside a model of what a
/// person would expect.
///
/// `NEWS_PROOF_SCALE` multiplies their number.
@Suite("What was done anywhere is what a person would expect everywhere")
struct ModelTests {
  private static let chunks = 20
  private static let histories = 30 * ProofScale.factor

  private static let servedHistories = 4 * ProofScale.factor

  @Test(
    "random histories of homes, feeds, a folder and a server",
    arguments: 0..<chunks,
  )
  func histories(chunk: Int) throws {
    try draw(chunk * Self.histories..<(chunk + 1) * Self.histories, servesHome: false)
  }

  @Test("histories of homes that another home serves, which is used, too", arguments: 0..<chunks)
  func servedHistories(chunk: Int) throws {
    try draw(chunk * Self.servedHistories..<(chunk + 1) * Self.servedHistories, servesHome: true)
  }

  private func draw(_ seeds: Range<Int>, servesHome: Bool) throws {
    var told: Set<ModelFault.Claim> = []
    for seed in seeds {
      let history = ModelHistory(seed: seed, length: 24, servesHome: servesHome)
      guard let fault = try ModelRun.fault(of: history), told.insert(fault.claim).inserted else {
        continue
      }
      let shortest = try ModelShrinking.shortest(history, of: fault)
      Issue.record("history \(seed): \(shortest.fault)\n\(shortest.history)")
    }
  }
}

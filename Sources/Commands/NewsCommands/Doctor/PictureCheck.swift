import CommandSupport
import ReadingCommands
import System

enum PictureCheck {
  private static let subject = "pictures"
  private static let words = [PictureProgram.name, "--version"]

  static func finding(_ context: CommandContext) -> Finding? {
    guard PictureProgram.fault(context) == nil else { return nil }
    if let obstacle = PictureProgram.obstacle(context) {
      return .note(subject, "none are shown: \(obstacle)")
    }
    let end = PrintingProgram.run(
      words,
      input: UnsafeRawBufferPointer(start: nil, count: 0),
      until: .now + .seconds(10),
      orReadable: nil,
      isCaged: true,
    ) { _ in true }
    switch end {
    case .ended(0, _): return .ok(subject, "\(PictureProgram.name) draws them in a cage")
    case .ended(let status, let said):
      let reason = said.isEmpty ? "it ended with status \(status)" : said
      return .note(
        subject,
        "none are shown: \(PictureProgram.name) does not run in a cage: \(reason)",
      )
    case .timedOut, .refused, nil:
      return .note(subject, "none are shown: \(PictureProgram.name) does not run in a cage")
    }
  }
}

import CommandLine
package import CommandSupport
package import System

/// The program that draws pictures as text (`chafa`).
///
/// It reads untrusted bytes, so it runs in a cage, and not at all without one.
package struct PictureProgram: Sendable {
  private let colors: String

  static let options = [
    CommandOption("images", help: "show pictures, even over ssh"),
    CommandOption("no-images", help: "show no pictures"),
  ]
  static let notes = [
    "Pictures in the story that is open are fetched and shown where chafa is installed and the "
      + "terminal has colors, unless NEWS_NO_IMAGES is set, or news runs over ssh. They are fetched "
      + "by the rules for whole pages, up to 8 MiB each; before, and where one cannot be shown, its "
      + "text stands there."
  ]

  package static let name = "chafa"
  private static let rows = 24
  private static let maximumOutput = 1 << 20
  private static let time = Duration.seconds(20)

  init?(_ context: CommandContext) {
    let environment = context.environment
    let isWanted =
      context.arguments.has("images")
      || !environment.isSet("NEWS_NO_IMAGES") && !environment.isRemote
    guard isWanted, !context.arguments.has("no-images"), context.isUTF8, context.style.isColored,
      Self.obstacle(context) == nil
    else { return nil }
    let terminal = context.environment.variable("TERM") ?? ""
    colors =
      ["truecolor", "24bit"].contains(context.environment.variable("COLORTERM"))
      ? "full" : terminal.contains("256") || terminal.hasPrefix("xterm") ? "256" : "16"
  }

  /// Returns the requirement that is missing; nil where none is.
  package static func obstacle(_ context: CommandContext) -> String? {
    if let fault = fault(context) { return fault.sentence }
    return CagedProgram.obstacle.map { "there is no cage to run \(name) in: \($0)" }
  }

  package static func fault(_ context: CommandContext) -> LibraryFault? {
    context.environment.hasProgram(name) ? nil : LibraryFault(.chafa)
  }

  private var words: [String] {
    [Self.name, "--format", "symbols", "--animate", "off", "--colors", colors, "-", "--size"]
  }

  /// Returns at most 24 lines of `columns`; none if drawing fails or takes over 20 seconds.
  func lines(
    _ picture: UnsafeRawBufferPointer,
    columns: Int,
    orReadable cancellation: Int32?,
  ) -> [String] {
    var printed: [UInt8] = []
    let end = PrintingProgram.run(
      words + ["\(columns)x\(Self.rows)"],
      input: picture,
      until: .now + Self.time,
      orReadable: cancellation,
      isCaged: true,
    ) { piece in
      printed += piece
      return printed.count <= Self.maximumOutput
    }
    guard case .ended(0, _)? = end else { return [] }
    return PictureText.lines(
      String(decoding: printed, as: UTF8.self),
      columns: columns,
      rows: Self.rows,
    )
  }
}

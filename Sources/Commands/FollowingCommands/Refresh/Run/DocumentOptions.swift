package import CommandLine
package import CommandSupport

extension CommandOption {
  static let noTexts = CommandOption("no-texts", help: "store summaries only, no whole texts")
  package static let maximumSize = CommandOption(
    "max-size",
    value: "MIB",
    help: "refuse feeds larger than MIB (32)",
  )
}

extension CommandContext {
  var keepsTexts: Bool {
    !environment.isSet("NEWS_NO_TEXTS") && !arguments.has("no-texts")
  }

  /// Returns the limit of `--max-size`, in bytes.
  package func maximumBytes() throws -> Int? {
    try number("max-size", 1...2047).map { $0 << 20 }
  }
}

import System

/// What a label such as `encoding="…"` or `charset=…` stands for.
enum EncodingLabel: Hashable, Sendable {
  case known(TextEncoding)
  /// Known, and never decoded: its bytes can hide markup from everyone who reads them as ASCII.
  case refused(String)
  case unknown(String)

  /// Looks a label up as the Encoding Standard does, and without regard to punctuation:
  /// `ISO_8859-1`, `iso8859-1` and `iso 8859 1` are the same.
  init(_ label: String) {
    let key = Self.key(label)
    if let encoding = Self.encodings[key] {
      self = .known(encoding)
    } else if Self.refusedKeys.contains(key) || key.hasPrefix("ebcdic") || key.hasSuffix("utf7") {
      self = .refused(SafeLabel.text(label))
    } else {
      self = .unknown(SafeLabel.text(label))
    }
  }

  private static func key(_ label: String) -> String {
    let key = label.utf8.prefix(64).filter(\.isASCIILetterOrDigit).map(\.asciiLowercased)
    return String(decoding: key, as: UTF8.self)
  }

  private static let refusedKeys: Set<String> = [
    "utf1", "scsu", "bocu1", "hz", "hzgb2312", "iso2022kr", "csiso2022kr", "iso2022cn",
    "iso2022cnext", "cp037", "ibm037", "cp500", "ibm500", "cp1026", "ibm1026", "cp1047", "ibm1047",
    "cp1140", "ibm1140", "cp273", "ibm273", "cp277", "ibm277", "cp278", "ibm278", "cp280", "ibm280",
    "cp284", "ibm284", "cp285", "ibm285", "cp297", "ibm297", "cp420", "ibm420", "cp424", "ibm424",
    "cp870", "ibm870", "cp871", "ibm871", "cp875", "ibm875", "cp930", "cp933", "cp935", "cp937",
    "cp939",
  ]
}

/// A label from outside, fit for a message.
private enum SafeLabel {
  static func text(_ label: String) -> String {
    String(
      decoding: label.utf8.prefix(40).map { (0x21...0x7E).contains($0) ? $0 : UInt8(ascii: "?") },
      as: UTF8.self,
    )
  }
}

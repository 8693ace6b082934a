internal import FeedModel
internal import FeedParsing
internal import TestSupport

struct ParsingBenchmark {
  let bytes: Int
  let folder: String

  func contests() throws -> [Contest] {
    var workload = Workload(seed: 1)
    let rss = workload.rss(bytes: bytes)
    let atom = workload.atom(bytes: bytes)
    let broken = Self.breaking(rss)
    return [
      try contest("parse RSS", rss, budgets: [.ratio(2.8), .ratio(0.9, to: "sfeed")]) {
        BareParser.parse(rss)
      },
      try contest("parse Atom", atom) { BareParser.parse(atom) },
      try contest(
        "parse broken RSS",
        broken,
        budgets: [.ratio(1.3, to: "news, clean")],
        clean: rss,
      ) { BareParser.parse(broken, faults: .recovered) },
    ]
  }

  private func contest(
    _ name: String,
    _ document: [UInt8],
    budgets: [Budget] = [],
    clean: [UInt8]? = nil,
    bare: @escaping () -> Void,
  ) throws -> Contest {
    let cleanly = clean.map { clean in
      Contender(name: "news, clean") { _ = try Self.parse(clean) }
    }
    return Contest(
      name: "\(name), \(document.count / 1_000_000) MB",
      contenders: [
        Contender(name: "libxml2 alone", run: bare),
        Contender(name: "news", budgets: budgets) { _ = try Self.parse(document) },
      ] + [cleanly].compactMap(\.self) + (try sfeed(document, name)),
    )
  }

  private func sfeed(_ document: [UInt8], _ name: String) throws -> [Contender] {
    guard try Subprocess.isInstalled("sfeed") else { return [] }
    let path = "\(folder)/\(name).xml"
    try writeFile(path, document)
    return [
      Contender(name: "sfeed", process: ["sh", "-c", "sfeed < \"$0\" > /dev/null", path])
    ]
  }

  static func parse(_ document: [UInt8]) throws -> Feed {
    try document.withUnsafeBytes { bytes in
      try FeedParser.feed(
        bytes,
        url: "https://www.example.org/feed",
        limits: ParsingLimits(maximumBytes: 1 << 30),
      )
    }
  }

  /// Returns the document with a bare ampersand in every story.
  static func breaking(_ document: [UInt8]) -> [UInt8] {
    var broken: [UInt8] = []
    broken.reserveCapacity(document.count)
    var rest = document[...]
    let reference = Array(" &amp; ".utf8)
    while let ampersand = rest.firstIndex(of: UInt8(ascii: "&")) {
      let isSpaced = rest[(ampersand - 1)...].starts(with: reference)
      broken += rest[..<ampersand]
      broken.append(UInt8(ascii: "&"))
      rest = rest[(ampersand + (isSpaced ? 5 : 1))...]
    }
    return broken + rest
  }
}

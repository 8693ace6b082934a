internal import System

/// The place whose time a feed has, as far as it says: its language, and the zones of its other
/// dates.
struct DatePlace {
  /// A tag in small letters, with hyphens; empty where it is not known.
  var language: String
  /// In minutes east of Greenwich.
  var offsets: Set<Int> = []
  /// True where an ambiguous name says nothing: the time is taken as it stands.
  var ignoresNames = false

  /// Returns the meaning of an ambiguous name; nil where the place has none.
  func zone(_ name: String) -> TimeZoneName? {
    guard let zones = Self.ambiguous[name] else { return nil }
    if ignoresNames { return TimeZoneName(minutes: 0) }
    let primary = language.prefix { $0 != "-" }
    let spoken = zones.first {
      $0.languages.contains(language) || $0.languages.contains(String(primary))
    }
    return (spoken ?? zones.first { offsets.contains($0.minutes) })
      .map { TimeZoneName(minutes: $0.minutes) }
  }

  /// True of a text that ends with a name such as `IST`.
  static func isNamed(_ date: UnsafeBufferPointer<UInt8>) -> Bool {
    let end = date.suffix(2)
    return end.first == UInt8(ascii: "S") && end.last == UInt8(ascii: "T")
  }

  /// The zones besides those of RFC 822 and `TimeZoneName` that have a name, and the languages that
  /// are written there.
  private static let ambiguous: [String: [(languages: Set<String>, minutes: Int)]] = [
    "ist": [
      (["hi", "bn", "ta", "te", "mr", "gu", "kn", "ml", "pa", "or", "as", "en-in"], 330),
      (["he", "iw", "yi"], 120), (["ga", "en-ie"], 60), ([], 180),
    ],
    "cst": [(["zh"], 480), (["es-cu"], -300)],
    "bst": [(["bn", "en-bd"], 360)],
    "ast": [(["ar"], 180)],
    "est": [(["en-au"], 600)],
    "pst": [(["tl", "fil", "en-ph"], 480)],
    "mst": [(["ms", "en-my"], 480), (["my"], 390)],
    "sst": [(["en-sg"], 480)],
  ]
}

extension DateFields {
  /// The calendar that is used beside the Gregorian one where the zone is.
  var eraOfZone: Era? {
    guard !(1600...2200).contains(year ?? readings.first?.year ?? 2000) else { return nil }
    let minutes = offset.map { $0 / 60 }
    if minutes == 420 || zone == TimeZoneName(minutes: 420) { return .buddhist }
    return minutes == 210 || minutes == 270 || zone == TimeZoneName("irst") ? .persian : nil
  }
}

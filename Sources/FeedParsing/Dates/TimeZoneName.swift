/// A zone that has a name: an abbreviation, or a place of the tz database.
enum TimeZoneName: Hashable {
  /// Seconds east of Greenwich; whether it is one of the Americans'.
  case fixed(Int, isAmerican: Bool)
  case place(TimeZonePlace)
  /// `Etc/GMT`, whose numbers have the opposite signs.
  case etc

  /// The zone of a folded name; nil for what is none, or not surely one.
  ///
  /// RFC 822's zones are what it says; its military ones (one letter) count as UTC, since many
  /// programs have their signs wrong (RFC 5322 §4.3). `IST` is nil: India's, Israel's and
  /// Ireland's are all in use. So is every name that is not known, for the same reason.
  init?(_ name: ArraySlice<UInt8>) {
    guard let first = name.first else { return nil }
    if name.count == 1, first.isASCIILetter {
      self = .fixed(0, isAmerican: false)
    } else if name.elementsEqual("etc/gmt".utf8) {
      self = .etc
    } else if name.contains(0x2F) {
      guard let place = TimeZonePlace(name) else { return nil }
      self = .place(place)
    } else if let minutes = ZoneTable.value(of: name, in: Self.american) {
      self = .fixed(minutes * 60, isAmerican: true)
    } else if let minutes = ZoneTable.value(of: name, in: Self.others) {
      self = .fixed(minutes * 60, isAmerican: false)
    } else {
      return nil
    }
  }

  var isAmerican: Bool {
    if case .fixed(_, let isAmerican) = self { isAmerican } else { false }
  }

  /// Seconds east of Greenwich at a local time, given in seconds as if it were UTC; nil where the
  /// rules of the place at that time are not known.
  func offset(atLocal local: Int) -> Int? {
    switch self {
    case .fixed(let seconds, _): seconds
    case .place(let place): place.offset(atLocal: local)
    case .etc: 0
    }
  }

  /// Names and minutes; `CT` and its like are read as standard time, as RFC 822's readers do.
  private static let american: StaticString = """
    est -300 edt -240 et -300 cst -360 cdt -300 ct -360 mst -420 mdt -360 mt -420 pst -480 pdt -420 \
    pt -480 ast -240 adt -180 at -240 akst -540 akdt -480 hst -600 hdt -540 nst -210 ndt -150 
    """

  /// The abbreviations of the tz database and some of its older ones that mean only one thing.
  private static let others: StaticString = """
    ut 0 utc 0 gmt 0 utcz 0 wet 0 west 60 bst 60 cet 60 cest 120 met 60 mest 120 mez 60 mesz 120 \
    eet 120 eest 180 msk 180 msd 240 sast 120 cat 120 eat 180 wat 60 idt 180 trt 180 irst 210 \
    irdt 270 gst 240 pkt 300 npt 345 uzt 300 almt 360 ict 420 wib 420 wita 480 wit 540 hkt 480 \
    sgt 480 myt 480 pht 480 awst 480 jst 540 kst 540 acst 570 acdt 630 aest 600 aedt 660 chst 600 \
    nzst 720 nzdt 780 brt -180 brst -120 art -180 uyt -180 clt -240 clst -180 bot -240 vet -240 \
    cot -300 pet -300 ect -300 samt 240 yekt 300 omst 360 novt 420 krat 420 irkt 480 yakt 540 \
    vlat 600 magt 660 pett 720 azot -60 azost 0 
    """
}

/// Tables of names and numbers, each followed by a space.
enum ZoneTable {
  /// The number behind a name.
  static func value(of name: ArraySlice<UInt8>, in table: StaticString) -> Int? {
    let bytes = UnsafeBufferPointer(start: table.utf8Start, count: table.utf8CodeUnitCount)
    var index = 0
    while index < bytes.count {
      let nameEnd = bytes[index...].firstIndex(of: 0x20) ?? bytes.count
      let valueStart = min(nameEnd + 1, bytes.count)
      let valueEnd = bytes[valueStart...].firstIndex(of: 0x20) ?? bytes.count
      if bytes[index..<nameEnd].elementsEqual(name) {
        return Int(String(decoding: bytes[valueStart..<valueEnd], as: UTF8.self))
      }
      index = valueEnd + 1
    }
    return nil
  }
}

import System

enum EncodingLabel: Hashable, Sendable {
  case known(TextEncoding)
  /// An encoding that is never decoded: its bytes can hide markup from readers of ASCII.
  case refused(String)
  case unknown(String)

  /// Looks a label up as the Encoding Standard does, without regard to punctuation: `ISO_8859-1`,
  /// `iso8859-1` and `iso 8859 1` are the same.
  init(_ label: String) {
    let key = Self.key(label)
    // PERF: filling the table takes a fiftieth of reading a megabyte.
    if key == "utf8" {
      self = .known(.utf8)
    } else if let encoding = Self.encodings[key] {
      self = .known(encoding)
    } else if Self.refusedKeys.contains(key) || key.hasPrefix("ebcdic") || key.hasSuffix("utf7") {
      self = .refused(Self.printable(label))
    } else {
      self = .unknown(Self.printable(label))
    }
  }

  private static func key(_ label: String) -> String {
    let key = label.utf8.prefix(64).filter(\.isASCIILetterOrDigit).map(\.asciiLowercased)
    return String(decoding: key, as: UTF8.self)
  }

  private static func printable(_ label: String) -> String {
    let bytes = label.utf8.prefix(40).map { (0x21...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }
    return String(decoding: bytes, as: UTF8.self)
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

extension EncodingLabel {
  /// The accepted labels without punctuation, in lower case.
  ///
  /// From the Encoding Standard's table (2024), where the old sets mean their Windows successors
  /// (what the web's documents hold, whatever they declare), plus UTF-32 and names found in feeds.
  static let encodings: [String: TextEncoding] = {
    var table: [String: TextEncoding] = [:]
    for (encoding, labels) in rows {
      for label in labels.split(separator: " ") { table[String(label)] = encoding }
    }
    return table
  }()

  private static func single(_ name: String, _ converters: String...) -> TextEncoding {
    TextEncoding(name, .singleByte, converters: converters + [name])
  }

  private static func multi(_ name: String, _ converters: String...) -> TextEncoding {
    TextEncoding(name, .multiByte, converters: converters + [name])
  }

  private static let rows: [(TextEncoding, String)] = unicodeRows + westernRows + easternRows

  private static let unicodeRows: [(TextEncoding, String)] = [
    (.utf8, "utf8 unicode11utf8 unicode20utf8 xunicode20utf8 utf8mb4 utf8mb3 utf utf80"),
    (.utf16LE, "utf16le utf16 ucs2 ucs2le unicode iso10646ucs2 csunicode unicodefeff"),
    (.utf16BE, "utf16be ucs2be unicodefffe"),
    (.utf32LE, "utf32le utf32 ucs4 ucs4le iso10646ucs4"),
    (.utf32BE, "utf32be ucs4be"),
    (
      .windows1252,
      """
      iso88591 iso885911987 latin1 l1 isoir100 cp819 ibm819 csisolatin1 ascii usascii \
      ansix341968 windows1252 cp1252 xcp1252 win1252 ansi ansi1252 iso646us us 88591
      """,
    ),
  ]

  private static let westernRows: [(TextEncoding, String)] = [
    (single("ISO-8859-2"), "iso88592 iso885921987 latin2 l2 isoir101 csisolatin2 88592"),
    (single("ISO-8859-3"), "iso88593 iso885931988 latin3 l3 isoir109 csisolatin3"),
    (single("ISO-8859-4"), "iso88594 iso885941988 latin4 l4 isoir110 csisolatin4"),
    (single("ISO-8859-5"), "iso88595 iso885951988 cyrillic isoir144 csisolatincyrillic"),
    (single("ISO-8859-6"), "iso88596 iso88596e iso88596i iso885961987 arabic asmo708 ecma114"),
    (single("ISO-8859-7"), "iso88597 iso885971987 greek greek8 ecma118 elot928 suneugreek"),
    (single("ISO-8859-8"), "iso88598 iso88598e iso88598i iso885981988 hebrew visual logical"),
    (single("ISO-8859-10"), "iso885910 iso8859101992 latin6 l6 isoir157 csisolatin6"),
    (single("ISO-8859-13"), "iso885913"),
    (single("ISO-8859-14"), "iso885914 latin8 l8"),
    (single("ISO-8859-15"), "iso885915 latin9 l9 csisolatin9 885915"),
    (single("ISO-8859-16"), "iso885916 latin10 l10"),
    (single("KOI8-R"), "koi8r koi8 koi cskoi8r"),
    (single("KOI8-U"), "koi8u koi8ru"),
    (single("macintosh", "MACINTOSH"), "macintosh mac xmacroman macroman csmacintosh"),
    (single("x-mac-cyrillic", "MAC-CYRILLIC", "MACCYRILLIC"), "xmaccyrillic maccyrillic"),
    (single("IBM866", "CP866"), "ibm866 cp866 866 csibm866"),
    (single("IBM850", "CP850"), "ibm850 cp850 850"),
    (single("IBM852", "CP852"), "ibm852 cp852 852"),
    (single("IBM437", "CP437"), "ibm437 cp437 437"),
    (single("windows-874", "CP874", "TIS-620"), "windows874 cp874 dos874 tis620 iso885911"),
    (single("windows-1250", "CP1250"), "windows1250 cp1250 xcp1250 win1250"),
    (single("windows-1251", "CP1251"), "windows1251 cp1251 xcp1251 win1251"),
    (single("windows-1253", "CP1253"), "windows1253 cp1253 xcp1253 win1253"),
    (
      single("windows-1254", "CP1254"),
      "windows1254 cp1254 xcp1254 win1254 iso88599 iso885991989 latin5 l5 isoir148 csisolatin5",
    ),
    (single("windows-1255", "CP1255"), "windows1255 cp1255 xcp1255 win1255"),
    (single("windows-1256", "CP1256"), "windows1256 cp1256 xcp1256 win1256"),
    (single("windows-1257", "CP1257"), "windows1257 cp1257 xcp1257 win1257"),
    (single("windows-1258", "CP1258"), "windows1258 cp1258 xcp1258 win1258"),
  ]

  private static let easternRows: [(TextEncoding, String)] = [
    (
      multi("Shift_JIS", "CP932", "SHIFT_JIS"),
      "shiftjis xsjis sjis csshiftjis mskanji windows31j ms932 cp932 mscp932 xmscp932",
    ),
    (multi("EUC-JP", "EUC-JP-MS", "EUC-JP"), "eucjp xeucjp xeuc cseucpkdfmtjapanese eucjpms"),
    (multi("ISO-2022-JP", "ISO-2022-JP-2"), "iso2022jp csiso2022jp iso2022jp1 iso2022jp2"),
    (
      multi("EUC-KR", "CP949", "UHC", "EUC-KR"),
      """
      euckr cseuckr korean ksc56011987 ksc56011989 ksc5601 ks5601 isoir149 csksc56011987 \
      windows949 cp949 ms949 uhc xwindows949 5601
      """,
    ),
    (
      multi("GB18030"),
      """
      gb18030 gbk xgbk gb2312 gb231280 chinese csgb2312 csiso58gb231280 isoir58 euccn \
      cp936 ms936 windows936 gb
      """,
    ),
    (
      multi("Big5", "BIG5-HKSCS", "BIG5-HKSCS:2008", "BIG5"),
      "big5 big5hkscs cnbig5 csbig5 xxbig5 big5eten cp950 windows950 ms950",
    ),
  ]
}

import Testing

@testable import FeedParsing

@Suite("DocumentDecoder")
struct DocumentDecoderTests {
  /// Labels, texts, and the texts in those encodings by Python's codecs.
  static let samples: [(label: String, text: String, hex: String)] = [
    ("koi8-r", "<a>Привет, мир</a>", "3c613ef0d2c9d7c5d42c20cdc9d23c2f613e"),
    ("KOI8-U", "<a>Привіт</a>", "3c613ef0d2c9d7a6d43c2f613e"),
    ("windows-1251", "<a>Привет, мир</a>", "3c613ecff0e8e2e5f22c20ece8f03c2f613e"),
    ("iso-8859-5", "<a>Привет</a>", "3c613ebfe0d8d2d5e23c2f613e"),
    ("ISO_8859-2:1987", "<a>Łódź</a>", "3c613ea3f364bc3c2f613e"),
    ("cp1250", "<a>Łódź „x”</a>", "3c613ea3f3649f208478943c2f613e"),
    ("greek", "<a>Καλημέρα</a>", "3c613ecae1ebe7ecddf1e13c2f613e"),
    ("latin5", "<a>İstanbul ğüş</a>", "3c613edd7374616e62756c20f0fcfe3c2f613e"),
    ("iso-8859-15", "<a>10 €</a>", "3c613e313020a43c2f613e"),
    ("ISO-8859-1", "<a>It’s 10 €</a>", "3c613e4974927320313020803c2f613e"),
    ("us-ascii", "<a>It’s 10 €</a>", "3c613e4974927320313020803c2f613e"),
    ("ibm866", "<a>Привет</a>", "3c613e8fe0a8a2a5e23c2f613e"),
    ("macintosh", "<a>café</a>", "3c613e6361668e3c2f613e"),
    ("tis-620", "<a>ไทย</a>", "3c613ee4b7c23c2f613e"),
    ("Shift_JIS", "<a>東京の天気 ソ表</a>", "3c613e938c8b9e82cc93568b4320835c955c3c2f613e"),
    ("x-sjis", "<a>①髙島屋～</a>", "3c613e8740eee0938789ae81603c2f613e"),
    ("euc-jp", "<a>東京の天気</a>", "3c613ec5ecb5fea4cec5b7b5a43c2f613e"),
    (
      "iso-2022-jp", "<a>東京 abc 天気</a>",
      "3c613e1b2442456c357e1b284220616263201b2442453735241b28423c2f613e",
    ),
    ("euc-kr", "<a>한국어</a>", "3c613ec7d1b1b9beee3c2f613e"),
    ("ks_c_5601-1987", "<a>똠방각하</a>", "3c613e8c63b9e6b0a2c7cf3c2f613e"),
    ("gb2312", "<a>中文繁體</a>", "3c613ed6d0cec4b7b1f3773c2f613e"),
    ("gb18030", "<a>中文😀</a>", "3c613ed6d0cec49439fc363c2f613e"),
    ("big5", "<a>中文許功蓋</a>", "3c613ea4a4a4e5b35ca55cbb5c3c2f613e"),
    ("iso-8859-6", "<a>مرحبا</a>", "3c613ee5d1cdc8c73c2f613e"),
    ("windows-1255", "<a>שלום</a>", "3c613ef9ece5ed3c2f613e"),
    ("windows-1256", "<a>مرحبا</a>", "3c613ee3d1cdc8c73c2f613e"),
    ("windows-1257", "<a>Ąžuolas</a>", "3c613ec0fe756f6c61733c2f613e"),
    ("latin10", "<a>Ștefan</a>", "3c613eaa746566616e3c2f613e"),
  ]

  @Test("an encoding that the transport names is decoded", arguments: samples)
  func transport(_ sample: (label: String, text: String, hex: String)) {
    let run = StageRun.decode([UInt8](hex: sample.hex), charset: sample.label)
    #expect(run.text == sample.text)
    #expect(run.notes == [])
  }

  @Test("an encoding that the document declares is decoded", arguments: samples)
  func declaration(_ sample: (label: String, text: String, hex: String)) {
    let head = "<?xml version='1.0' encoding='\(sample.label)'?>"
    let run = StageRun.decode([UInt8](head) + [UInt8](hex: sample.hex))
    #expect(run.text == head + sample.text)
  }

  @Test("a document of nothing but bytes that its encoding lacks is refused")
  func undecodable() {
    let run = StageRun.decode([UInt8](repeating: 0xFF, count: 4_000_001), charset: "big5")
    #expect(run.error == .limitExceeded(name: "undecodable bytes", limit: 4_000_000))
  }

  @Test(
    "UTF-16 and UTF-32 show themselves, with and without a mark",
    arguments: ["<a>é東😀</a>", " \n<?xml version='1.0' encoding='utf-8'?><a>ł</a>", "{\"a\": 1}"],
  )
  func wide(_ text: String) {
    let little = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let big = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    let long = text.unicodeScalars.flatMap { scalar in
      [0, 8, 16, 24].map { UInt8(scalar.value >> $0 & 0xFF) }
    }
    let longBig = text.unicodeScalars.flatMap { scalar in
      [24, 16, 8, 0].map { UInt8(scalar.value >> $0 & 0xFF) }
    }
    let marks: [([UInt8], [UInt8])] = [
      (little, [0xFF, 0xFE]), (big, [0xFE, 0xFF]), (long, [0xFF, 0xFE, 0, 0]),
      (longBig, [0, 0, 0xFE, 0xFF]), ([UInt8](text), [0xEF, 0xBB, 0xBF]),
    ]
    for (bytes, mark) in marks {
      #expect(StageRun.decode(mark + bytes).text == text)
      #expect(StageRun.decode(bytes).text == text)
      #expect(StageRun.decode(mark + bytes, charset: "iso-8859-2").text == text)
    }
  }

  /// Charsets that are declared wrongly: the charset, the bytes, and the text that they mean.
  static let wrong: [(charset: String?, bytes: [UInt8], text: String)] = [
    (nil, [UInt8]("<?xml version='1.0' encoding='utf-16'?><a>x</a>"), "<a>x</a>"),
    (nil, [UInt8]("<?xml encoding='utf-8'?><a>It") + [0x92] + [UInt8]("s</a>"), "<a>It’s</a>"),
    (
      nil, [UInt8]("<a>caf") + [0xE9] + [UInt8](" cr") + [0xE8] + [UInt8]("me</a>"),
      "<a>café crème</a>",
    ),
    (nil, [UInt8]("<?xml encoding='iso-8859-1'?><a>café</a>"), "<a>café</a>"),
    ("iso-8859-1", [UInt8]("<?xml encoding='utf-8'?><a>東京</a>"), "<a>東京</a>"),
    ("us-ascii", [UInt8]("<a>東京</a>"), "<a>東京</a>"),
    (
      "iso-8859-1", [UInt8]("<?xml encoding='koi8-r'?><a>") + [0xF0, 0xD2, 0xC9] + [UInt8]("</a>"),
      "<a>При</a>",
    ),
    (
      "utf-8",
      [UInt8]("<?xml encoding='windows-1251'?><a>") + [0xCF, 0xF0, 0xE8] + [UInt8]("</a>"),
      "<a>При</a>",
    ),
    (
      "utf-8", [UInt8]("<?xml encoding='euc-kr'?><a>") + [0xC7, 0xD1] + [UInt8]("</a>"), "<a>한</a>",
    ),
    ("utf-8", [UInt8]("<?xml encoding='windows-1251'?><a>При</a>"), "<a>При</a>"),
    ("x-unknown", [UInt8]("<a>é</a>"), "<a>é</a>"),
    (
      nil, [UInt8]("<?xml encoding='klingon'?><a>") + [0x93, 0x41, 0x94] + [UInt8]("</a>"),
      "<a>“A”</a>",
    ),
    (nil, [0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF] + [UInt8]("<a/>"), "<a/>"),
    (
      nil, [UInt8]("<html><head><meta charset=shift_jis><a>") + [0x93, 0x8C] + [UInt8]("</a>"),
      "<html><head><meta charset=shift_jis><a>東</a>",
    ),
  ]

  @Test("a wrong declaration does not spoil the text", arguments: wrong)
  func wrongDeclaration(_ sample: (charset: String?, bytes: [UInt8], text: String)) {
    let run = StageRun.decode(sample.bytes, charset: sample.charset)
    #expect(run.error == nil)
    #expect(run.text.hasSuffix(sample.text))
    #expect(!run.text.contains("\u{FFFD}"))
  }

  @Test(
    "encodings that hide markup are refused",
    arguments: [
      "utf-7", "UNICODE-1-1-UTF-7", "hz-gb-2312", "iso-2022-kr", "cp037", "EBCDIC-US", "utf-1",
    ],
  )
  func refused(_ label: String) {
    let bytes = [UInt8]("+ADw-a+AD4-")
    #expect(StageRun.decode(bytes, charset: label).error == .unsupportedEncoding(label))
    let declared = [UInt8]("<?xml version='1.0' encoding=\"\(label)\"?><a/>")
    #expect(StageRun.decode(declared).error == .unsupportedEncoding(label))
    #expect(StageRun.decode(declared, charset: "utf-8").error == nil)
  }

  /// Bytes that are invalid in the declared encoding, and the text that is left of them.
  static let invalid: [(label: String, hex: String, text: String)] = [
    ("euc-kr", "b3e2b33c2f613e", "년\u{FFFD}</a>"),
    ("shift_jis", "938cff8b9e", "東\u{FFFD}京"),
    ("euc-jp", "c5ecc5", "東\u{FFFD}"),
    ("gb18030", "d6d0ff41", "中\u{FFFD}A"),
    ("gbk", "80", "€"),
    ("big5", "a4a4ff3c", "中\u{FFFD}<"),
    ("iso-8859-7", "d241", "\u{FFFD}A"),
    ("utf-16", "fffe3d3d00d8410000dc42", "㴽\u{FFFD}A\u{FFFD}\u{FFFD}"),
    ("utf-8", "e280", "â€"),
    ("utf-8", "c3a9e28041", "é\u{FFFD}A"),
    ("utf-8", "c3a941f0909041", "éA\u{FFFD}A"),
    ("utf-8", "c3a941c0af41", "éAÀ¯A"),
    ("utf-8", "c3a9eda08041", "é\u{FFFD}A"),
    ("utf-8", "61eda080", "a\u{FFFD}"),
    ("utf-8", "61edb08061", "a\u{FFFD}a"),
    ("utf-8", "61eda0bdedb88061", "a😀a"),
    ("utf-8", "61eda0bdeda0bdedb880", "a\u{FFFD}😀"),
    ("utf-8", "706f6ced746963", "polític"),
    ("utf-8", "61eda061", "aí\u{A0}a"),
    ("utf-8", "c3a920c320", "é \u{FFFD} "),
    ("utf-8", "c3a9c3", "é\u{FFFD}"),
    ("utf-8", "41c29241", "A’A"),
  ]

  @Test("an invalid byte costs a character, never the text", arguments: invalid)
  func invalidBytes(_ sample: (label: String, hex: String, text: String)) {
    let run = StageRun.decode([UInt8](hex: sample.hex), charset: sample.label)
    #expect(run.text == sample.text, "\(sample)")
  }

  @Test("forbidden control characters and noncharacters go")
  func controls() {
    let run = StageRun.decode([UInt8]("<a>\u{0}ab\u{8}cd\t\n\r\u{7F}\u{FFFE}\u{FFFF}e\u{1B}</a>"))
    #expect(run.text == "<a>abcd\t\n\r\u{7F}e</a>")
    #expect(run.notes == ["control characters removed: 5"])
  }

  @Test("what was recovered is said")
  func notes() {
    #expect(
      StageRun.decode([UInt8]("<a>") + [0x92] + [UInt8]("</a>"), charset: "foo\u{1B}[31m").notes
        == [
          "the transport names an unknown encoding, foo?[31m",
          "bytes of another encoding read as windows-1252: 1",
        ]
    )
    // A mark of UTF-8 stands before a document that is declared, and written, in another encoding.
    let start = [0xEF, 0xBB, 0xBF] + [UInt8]("<?xml version='1.0' encoding='koi8-r'?><a>")
    let run = StageRun.decode(start + [0xC1] + [UInt8]("</a>"))
    #expect(run.text.hasSuffix("<a>а</a>"))
    #expect(run.notes.contains("bytes of another encoding read as KOI8-R: 1"))
  }

  @Test("more decoded bytes than allowed are refused")
  func limit() {
    let bytes = [UInt8](repeating: 0xE9, count: 5_000)
    let limit = FeedParsingError.limitExceeded(name: "decoded bytes", limit: 9_999)
    #expect(StageRun.decode(bytes, charset: "latin1", maximumBytes: 9_999).error == limit)
    #expect(StageRun.decode(bytes, charset: "latin1", maximumBytes: 10_000).error == nil)
  }
}

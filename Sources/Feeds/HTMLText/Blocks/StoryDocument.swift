/// A story's text as a reader sees it: blocks, and runs of text in them.
///
/// Its texts are safe lines (`SafeText`) with single spaces between words; those of preformatted
/// blocks keep their spaces, tabs and line feeds. Its links are http, https or mailto.
package struct StoryDocument: Hashable, Sendable {
  package var blocks: [StoryBlock]
  /// True if the end is missing, as the text is too deep or too long.
  package var isCut = false
  /// True if the page that it was taken from shows only its beginning.
  package var isBeginning = false

  package init(blocks: [StoryBlock] = []) {
    self.blocks = blocks
  }
}

package indirect enum StoryBlock: Hashable, Sendable {
  case paragraph([StoryInline])
  case heading(level: Int, [StoryInline])
  case list(StoryList)
  case quotation([StoryBlock])
  case preformatted([StoryInline])
  case table(StoryTable)
  case rule
  case definitions([StoryDefinition])
  case figure([StoryBlock], caption: [StoryInline])
  case media(StoryMedia)
}

extension StoryBlock {
  var inlines: [StoryInline]? {
    switch self {
    case .paragraph(let own), .heading(_, let own), .preformatted(let own): own
    default: nil
    }
  }

  /// The blocks in it, in order; captions and terms are paragraphs.
  var children: [StoryBlock] {
    switch self {
    case .list(let list): Array(list.items.joined())
    case .quotation(let blocks): blocks
    case .table(let table): [.paragraph(table.caption)] + table.rows.joined().flatMap(\.blocks)
    case .definitions(let all): all.flatMap { [.paragraph($0.term)] + $0.blocks }
    case .figure(let blocks, let caption): blocks + [.paragraph(caption)]
    default: []
    }
  }
}

package enum StoryInline: Hashable, Sendable {
  case text(StoryRun)
  case image(StoryImage)
  case lineBreak

  var link: String? {
    switch self {
    case .text(let run): run.link
    case .image(let image): image.link
    case .lineBreak: nil
    }
  }

  func text(lineBreak: String) -> String {
    switch self {
    case .text(let run): run.text
    case .image(let image): image.text
    case .lineBreak: lineBreak
    }
  }
}

package struct StoryRun: Hashable, Sendable {
  package var text: String
  package var marks: StoryMarks
  package var link: String?

  package init(_ text: String, marks: StoryMarks = [], link: String? = nil) {
    (self.text, self.marks, self.link) = (text, marks, link)
  }
}

package struct StoryMarks: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let emphasis = StoryMarks(rawValue: 1)
  package static let strong = StoryMarks(rawValue: 2)
  package static let code = StoryMarks(rawValue: 4)
  package static let deleted = StoryMarks(rawValue: 8)
  package static let underlined = StoryMarks(rawValue: 16)
  package static let raised = StoryMarks(rawValue: 32)
  package static let lowered = StoryMarks(rawValue: 64)
}

package struct StoryImage: Hashable, Sendable {
  package var text: String
  /// The address; nil for a picture in the document itself (`data:`).
  package var url: String?
  package var link: String?

  package init(text: String, url: String?, link: String? = nil) {
    (self.text, self.url, self.link) = (text, url, link)
  }
}

/// A player, or a page within the page.
package struct StoryMedia: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable {
    case audio
    case video
    case frame
  }

  package var kind: Kind
  package var title: String
  package var type: String?
  package var url: String?

  package init(_ kind: Kind, title: String = "", type: String? = nil, url: String? = nil) {
    (self.kind, self.title, self.type, self.url) = (kind, title, type, url)
  }
}

package struct StoryList: Hashable, Sendable {
  package var isOrdered: Bool
  package var items: [[StoryBlock]]
  /// The numbers of the items of an ordered list.
  package var numbers: [Int]
  package var numbering: StoryNumbering

  package init(
    isOrdered: Bool,
    start: Int = 1,
    numbering: StoryNumbering = .decimal,
    items: [[StoryBlock]] = [],
  ) {
    (self.isOrdered, self.numbering, self.items) = (isOrdered, numbering, items)
    numbers = Array(start..<start + items.count)
  }

  /// Numbers the items by the attributes of the `ol` element, and of the `li` elements where they
  /// have any.
  init(_ order: StoryOrdering, items: [[StoryBlock]], values: [Int?]) {
    (isOrdered, numbering, self.items) = (true, order.numbering, items)
    var next = order.start ?? (order.isReversed ? items.count : 1)
    numbers = values.map { value in
      let number = value ?? next
      next = number + (order.isReversed ? -1 : 1)
      return number
    }
  }
}

struct StoryOrdering: Hashable, Sendable {
  var start: Int?
  var isReversed = false
  var numbering = StoryNumbering.decimal
}

/// The way in which a list's numbers are written; its raw values are HTML's (`<ol type=a>`).
package enum StoryNumbering: String, CaseIterable, Hashable, Sendable {
  case decimal = "1"
  case lowerLetters = "a"
  case upperLetters = "A"
  case lowerRoman = "i"
  case upperRoman = "I"

  var styleName: String {
    switch self {
    case .decimal: "decimal"
    case .lowerLetters: "lower-alpha"
    case .upperLetters: "upper-alpha"
    case .lowerRoman: "lower-roman"
    case .upperRoman: "upper-roman"
    }
  }

  /// Returns the number before an item; decimal where the style has no form for it.
  package func label(_ number: Int) -> String {
    switch self {
    case .lowerLetters where number > 0, .upperLetters where number > 0:
      let letters = Self.letters(number)
      return self == .lowerLetters ? letters : letters.uppercased()
    case .lowerRoman where (1..<4_000) ~= number, .upperRoman where (1..<4_000) ~= number:
      let numeral = Self.roman(number)
      return self == .lowerRoman ? numeral.lowercased() : numeral
    default: return "\(number)"
    }
  }

  private static func letters(_ number: Int) -> String {
    var (rest, letters) = (number, "")
    while rest > 0 {
      let letter = Unicode.Scalar(UInt8(ascii: "a") + UInt8((rest - 1) % 26))
      letters = "\(letter)\(letters)"
      rest = (rest - 1) / 26
    }
    return letters
  }

  private static func roman(_ number: Int) -> String {
    let values = [
      (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"),
      (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
    ]
    var (rest, numeral) = (number, "")
    for (value, sign) in values {
      while rest >= value {
        numeral += sign
        rest -= value
      }
    }
    return numeral
  }
}

package struct StoryTable: Hashable, Sendable {
  package struct Cell: Hashable, Sendable {
    package var isHeader: Bool
    package var columns: Int
    package var rows: Int
    package var blocks: [StoryBlock]

    package init(
      isHeader: Bool = false,
      columns: Int = 1,
      rows: Int = 1,
      blocks: [StoryBlock],
    ) {
      (self.isHeader, self.columns, self.rows) = (isHeader, columns, rows)
      self.blocks = blocks
    }
  }

  package var caption: [StoryInline]
  package var rows: [[Cell]]

  package init(caption: [StoryInline] = [], rows: [[Cell]] = []) {
    (self.caption, self.rows) = (caption, rows)
  }
}

/// A term and its description; either can be missing.
package struct StoryDefinition: Hashable, Sendable {
  package var term: [StoryInline]
  package var blocks: [StoryBlock]

  package init(term: [StoryInline] = [], blocks: [StoryBlock] = []) {
    (self.term, self.blocks) = (term, blocks)
  }
}

extension StoryDocument {
  package static let beginningNote = "the page shows only its beginning"
}

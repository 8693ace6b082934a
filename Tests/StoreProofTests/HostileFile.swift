/// A file in the store that nobody's program wrote, and what is right to say of it.
struct HostileFile: Sendable {
  let name: String
  /// The file in the store that it takes the place of.
  let place: String
  let bytes: [UInt8]
  let answer: Answer

  /// What the commands that read it come to.
  enum Answer: Hashable, Sendable {
    /// So many lines, or entries in JSON.
    case lines(Int)
    case refused
    /// Lines where only the damaged part is not looked at.
    case linesUnlessJSON(Int)
  }

  init(_ name: String, _ answer: Answer, _ bytes: [UInt8], in place: String = "newsdata.plist") {
    self.name = name
    self.answer = answer
    self.bytes = bytes
    self.place = place
  }

  init(_ name: String, _ answer: Answer, _ list: HostileList, in place: String = "newsdata.plist") {
    self.init(name, answer, list.bytes, in: place)
  }

  init(_ name: String, _ answer: Answer, text: String, in place: String = "newsdata.plist") {
    self.init(name, answer, Array(text.utf8), in: place)
  }
}

extension HostileFile {
  static let all = noLists + cycles + bombs + counts + trailers + values + nested + xml + records
}

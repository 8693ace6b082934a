/// A file in the store that no program wrote, and the right answer to it.
struct HostileFile: Sendable {
  let name: String
  let place: String
  let bytes: [UInt8]
  let answer: Answer

  enum Answer: Hashable, Sendable {
    /// The number of lines, or of entries in JSON.
    case lines(Int)
    case refused
    /// Lines where the damaged part is not read, which JSON reads.
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

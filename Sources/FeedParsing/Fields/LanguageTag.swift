/// A language as feeds name it (BCP 47).
enum LanguageTag {
  /// The tag as published, in small letters where its language is in capitals (`IT-it`).
  static func repaired(_ tag: String) -> String {
    let language = tag.utf8.prefix { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }
    let isMiscased = language.contains { $0.asciiLowercased != $0 }
    return isMiscased && 2...3 ~= language.count ? tag.lowercased() : tag
  }
}

import FeedParsing
import System
import TestSupport
import Testing

@testable import HTMLParsing

@Suite(
  "HTML's own tests",
  .enabled(
    if: BuiltProduct.htmlTests() != nil,
    "there is no ../shared/html5lib-tests, nor NEWS_TEST_HTML",
  ),
)
struct HTMLStandardTests {
  private static func json(_ name: String) throws -> JSONValue {
    let bytes = try readFile((BuiltProduct.htmlTests() ?? "") + "/" + name)
    return try #require(try bytes.withUnsafeBytes { try JSONDocument($0).value() })
  }

  // MARK: Tokens

  @Test(
    "the tokens of the standard's documents are the standard's",
    arguments: [
      "contentModelFlags", "domjs", "entities", "escapeFlag", "namedEntities", "numericEntities",
      "pendingSpecChanges", "test1", "test2", "test3", "test4", "unicodeChars",
    ],
  )
  func tokens(_ file: String) throws {
    var differences: [String] = []
    let tests = try Self.json("tokenizer/\(file).test")["tests"]?.elements ?? []
    #expect(!tests.isEmpty)
    for test in tests {
      let isEscaped = test["doubleEscaped"] != nil
      func text(_ value: JSONValue?) -> String {
        isEscaped ? Self.unescaped(value?.text ?? "") : value?.text ?? ""
      }
      let expected = Self.joined(
        (test["output"]?.elements ?? []).map { Self.token($0.elements, text) }
      )
      for state in test["initialStates"]?.elements.compactMap(\.text) ?? ["Data state"] {
        let read = tokens(
          of: text(test["input"]),
          in: state,
          endingWith: test["lastStartTag"]?.text ?? "",
        )
        if read != expected {
          differences.append("\(text(test["input"])): \(read), not \(expected)")
        }
      }
    }
    #expect(differences.prefix(5) == [])
  }

  private static func token(_ parts: [JSONValue], _ text: (JSONValue?) -> String) -> String {
    func identifier(_ value: JSONValue) -> String { value == .null ? "none" : text(value) }
    switch parts[0].text {
    case "Character": return "text \(text(parts[1]))"
    case "Comment": return "comment \(text(parts[1]))"
    case "EndTag": return "end \(text(parts[1]))"
    case "DOCTYPE":
      let isCorrect = parts[4].text ?? ""
      return "doctype \(parts[1...3].map(identifier).joined(separator: "|")) \(isCorrect)"
    default:
      var attributes: [String: String] = [:]
      if case .object(let members) = parts[2] {
        for member in members { attributes[text(.string(member.name))] = text(member.value) }
      }
      return "start \(text(parts[1]))\(describe(attributes))\(parts.count > 3 ? "/" : "")"
    }
  }

  private static func describe(_ attributes: [String: String]) -> String {
    attributes.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
  }

  private static func joined(_ tokens: [String]) -> [String] {
    tokens.reduce(into: []) { result, token in
      if token.hasPrefix("text "), let last = result.last, last.hasPrefix("text ") {
        result[result.count - 1] = last + token.dropFirst(5)
      } else {
        result.append(token)
      }
    }
  }

  private static func unescaped(_ text: String) -> String {
    var units: [UInt16] = []
    var rest = Array(text.utf16)[...]
    while let unit = rest.first {
      let digits = String(decoding: rest.dropFirst(2).prefix(4), as: UTF16.self)
      if rest.starts(with: "\\u".utf16), let value = UInt16(digits, radix: 16) {
        units.append(value)
        rest = rest.dropFirst(6)
      } else {
        units.append(unit)
        rest = rest.dropFirst()
      }
    }
    return String(decoding: units, as: UTF16.self)
  }

  private func tokens(of input: String, in state: String, endingWith name: String) -> [String] {
    Array(input.utf8).withUnsafeBytes { HTMLTree.normalized($0) }.withUnsafeBytes { bytes in
      var tokenizer = HTMLTokenizer(bytes)
      switch state {
      case "PLAINTEXT state": tokenizer.enter(.plainText)
      case "RCDATA state": tokenizer.enter(.escapableText, until: name.utf8)
      case "RAWTEXT state": tokenizer.enter(.rawText, until: name.utf8)
      case "Script data state": tokenizer.enter(.script, until: name.utf8)
      case "CDATA section state": tokenizer.enter(.section)
      default: break
      }
      var tokens: [String] = []
      while let token = Self.next(&tokenizer) { tokens.append(token) }
      return Self.joined(tokens)
    }
  }

  private static func next(_ tokenizer: inout HTMLTokenizer) -> String? {
    let token = tokenizer.next()
    let bytes = tokenizer.bytes
    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    // The ranges of tokens keep the zeros that the standard forbids.
    func clean(_ range: Range<Int>) -> String { text(range).replacing("\0", with: "\u{FFFD}") }
    func lower(_ range: Range<Int>) -> String {
      String(decoding: clean(range).utf8.map(\.asciiLowercased), as: UTF8.self)
    }
    switch token {
    case .end: return nil
    case .nothing: return next(&tokenizer)
    case .text(let range): return "text \(text(range))"
    case .reference(let reference):
      var bytes: [UInt8] = []
      reference.append(to: &bytes)
      return "text \(String(decoding: bytes, as: UTF8.self))"
    case .comment(let range): return "comment \(clean(range))"
    case .endTag: return "end \(lower(tokenizer.name))"
    case .doctype(let type):
      let parts = [type.name.map(lower), type.publicID.map(clean), type.systemID.map(clean)]
      return "doctype \(parts.map { $0 ?? "none" }.joined(separator: "|")) \(type.isCorrect)"
    case .startTag:
      var attributes: [String: String] = [:]
      for attribute in tokenizer.attributes where attributes[lower(attribute.name)] == nil {
        let value = UnsafeRawBufferPointer(rebasing: bytes[attribute.value])
        attributes[lower(attribute.name)] =
          HTMLReference.decoded(value).replacing("\0", with: "\u{FFFD}")
      }
      let end = tokenizer.isSelfClosing ? "/" : ""
      return "start \(lower(tokenizer.name))\(describe(attributes))\(end)"
    }
  }

  // MARK: Trees

  @Test("texts and elements stand where browsers put them")
  func trees() throws {
    var differences: [String] = []
    for test in try Self.json("tree-construction.json").elements
    where test["scripting"] != .bool(true) {
      let data = test["data"]?.text ?? ""
      // Browsers copy the chosen option into it.
      guard !data.contains("<selectedcontent>") else { continue }
      let expected = Self.lines(test["tree"]?.text ?? "")
      let context = Self.context(test["fragment"])
      let tree = Array(data.utf8).withUnsafeBytes { HTMLTree.build($0, in: context) }
      let built = Self.lines(of: tree)
      if built != expected { differences.append("\(data): \(built), not \(expected)") }
    }
    #expect(differences.prefix(5) == [])
  }

  private static func context(_ fragment: JSONValue?) -> HTMLTreeBuilder.Context? {
    guard let fragment, let name = fragment["tag"]?.text else { return nil }
    let space: HTMLTree.Space =
      switch fragment["ns"]?.text {
      case "svg": .svg
      case "math": .math
      default: .html
      }
    return HTMLTreeBuilder.Context(
      tag: Array(name.utf8).withUnsafeBytes { HTMLTag.of($0[...]) },
      space: space,
    )
  }

  /// Returns the elements and texts of a tree of html5lib-tests with their depth, without comments
  /// and document types, which this parser drops.
  private static func lines(_ tree: String) -> [String] {
    var lines: [String] = []
    for line in tree.split(separator: "\n", omittingEmptySubsequences: false) {
      if let last = lines.last, isOpen(last.drop { $0 == " " }) {
        lines[lines.count - 1] += "\n" + line
      } else {
        lines.append(String(line))
      }
    }
    var result: [String] = []
    var templates: [Int] = []
    for line in lines {
      let indent = line.prefix { $0 == " " }.count
      while let last = templates.last, indent <= last { templates.removeLast() }
      let depth = indent / 2 - templates.count
      let node = line.dropFirst(indent)
      if node == "#document-fragment" { templates.append(indent) }
      if node.hasPrefix("\"") {
        append(text: String(node.dropFirst().dropLast()), depth, to: &result)
      } else if node.hasPrefix("<"), !node.hasPrefix("<!"), !node.hasPrefix("<?") {
        let name = node.dropFirst().prefix { !" >".contains($0) }
        let isForeign = ["svg:", "math:"].contains(where: name.hasPrefix)
        let own =
          isForeign ? name[name.index(after: name.firstIndex(of: ":") ?? name.startIndex)...] : name
        result.append("\(depth) <\(own.lowercased())>")
      }
    }
    return result
  }

  /// Returns true if a text or a comment goes on in the next line.
  private static func isOpen(_ node: Substring) -> Bool {
    node.hasPrefix("\"") && (node.count == 1 || !node.hasSuffix("\""))
      || node.hasPrefix("<!--") && !node.hasSuffix("-->")
  }

  private static func append(text: String, _ depth: Int, to lines: inout [String]) {
    if let last = lines.last, last.hasPrefix("\(depth) \"") {
      lines[lines.count - 1] = last + text
    } else {
      lines.append("\(depth) \"\(text)")
    }
  }

  private static func lines(of tree: HTMLTree) -> [String] {
    let writer = TreeWriter()
    tree.tell(writer) { _ in nil }
    return writer.lines
  }

  private final class TreeWriter: HTMLEventHandler {
    var lines: [String] = []
    private var depth = 0
    var isReading: Bool { true }

    func startElement(_ name: String, _ attributes: HTMLAttributes) {
      lines.append("\(depth) <\(name)>")
      depth += 1
    }

    func endElement(_ name: String) { depth -= 1 }

    func text(_ utf8: UnsafeBufferPointer<UInt8>) {
      HTMLStandardTests.append(text: String(decoding: utf8, as: UTF8.self), depth, to: &lines)
    }
  }
}

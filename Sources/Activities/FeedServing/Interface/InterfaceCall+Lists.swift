internal import CommandLine
internal import FeedParsing

extension InterfaceCall {
  /// Returns a list of the interface's first version: JSON where that was asked for, or XML.
  func listed(_ value: PrintedJSON) -> HTTPAnswer {
    fields["output"] == "json" ? .json(value.description) : .xml(value)
  }
}

extension HTTPAnswer {
  static func json(_ text: String) -> HTTPAnswer {
    HTTPAnswer(type: "application/json; charset=utf-8", Array(text.utf8))
  }

  /// Returns XML such as `<object><list name="tags"><object><string name="id">…`.
  static func xml(_ value: PrintedJSON) -> HTTPAnswer {
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"
    append(value, named: nil, to: &text)
    return HTTPAnswer(type: "text/xml; charset=utf-8", Array(text.utf8))
  }

  private static func append(_ value: PrintedJSON, named name: String?, to text: inout String) {
    let attribute = name.map { " name=\"\(XMLText.escaped($0))\"" } ?? ""
    func element(_ tag: String, _ body: (inout String) -> Void) {
      text += "<\(tag)\(attribute)>"
      body(&text)
      text += "</\(tag)>"
    }
    switch value {
    case .null: break
    case .string(let string): element("string") { $0 += XMLText.escaped(string) }
    case .integer(let number): element("number") { $0 += String(number) }
    case .seconds(let seconds): element("number") { $0 += String(seconds) }
    case .boolean(let isTrue): element("boolean") { $0 += String(isTrue) }
    case .array(let values):
      element("list") { text in for value in values { append(value, named: nil, to: &text) } }
    case .object(let members):
      element("object") { text in
        for member in members { append(member.value, named: member.key, to: &text) }
      }
    }
  }
}

internal import CLibXML2
internal import System

extension SAXParser {
  static var callbacks: clibxml2_handler {
    var handler = clibxml2_handler()
    addContent(to: &handler)
    addRefusals(to: &handler)
    return handler
  }

  private static func addContent(to handler: inout clibxml2_handler) {
    handler.start_element = {
      user,
      local,
      prefix,
      namespace,
      namespaceCount,
      namespaces,
      count,
      _,
      attributes in
      guard let user, let local else { return }
      Unmanaged<SAXParser>.fromOpaque(user)._withUnsafeGuaranteedRef {
        $0.didStart(
          local,
          prefix,
          namespace,
          namespaces: Int(namespaceCount),
          XMLAttributes(
            attributes,
            count: Int(count),
            namespaces: .init(start: namespaces, count: Int(namespaceCount) * 2),
          ),
        )
      }
    }
    handler.end_element = { user, _, _, _ in
      guard let user else { return }
      Unmanaged<SAXParser>.fromOpaque(user)._withUnsafeGuaranteedRef { $0.didEnd() }
    }
    handler.characters = { user, bytes, count in
      guard let user, let bytes, count > 0 else { return }
      Unmanaged<SAXParser>.fromOpaque(user)._withUnsafeGuaranteedRef {
        $0.didReceiveText(UnsafeBufferPointer(start: bytes, count: Int(count)))
      }
    }
    handler.cdata = handler.characters
    // One function for both spares libxml2 the search for ignorable white space.
    handler.white_space = handler.characters
    handler.error = { user, error in
      guard let user, let error else { return }
      Unmanaged<SAXParser>.fromOpaque(user)._withUnsafeGuaranteedRef { $0.didFail(error) }
    }
  }

  /// Refuses the document type's declarations.
  ///
  /// None may reach the parser, and what they could do (expand, default attributes in quadratic
  /// time, load) is never done.
  private static func addRefusals(to handler: inout clibxml2_handler) {
    handler.entity = { user, _, _, _, _, _ in SAXParser.refuse("entities", user) }
    handler.attribute_list = { user, _, _, _, _, _, values in
      // libxml2 leaves the enumeration to the callback.
      clibxml2_free_enumeration(values)
      SAXParser.refuse("attribute lists", user)
    }
    handler.element = { user, _, _, _ in SAXParser.refuse("elements", user) }
    handler.notation = { user, _, _, _ in SAXParser.refuse("notations", user) }
    handler.unparsed_entity = { user, _, _, _, _ in SAXParser.refuse("entities", user) }
  }

  private static func refuse(_ kind: String, _ user: UnsafeMutableRawPointer?) {
    guard let user else { return }
    Unmanaged<SAXParser>.fromOpaque(user)._withUnsafeGuaranteedRef { $0.refuse(kind) }
  }
}

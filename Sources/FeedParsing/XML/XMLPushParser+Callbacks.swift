internal import CLibXML2

extension XMLPushParser {
  /// The callbacks: each recovers the parser from the user pointer and calls one method.
  static var callbacks: clibxml2_handler {
    var handler = clibxml2_handler()
    addContent(to: &handler)
    addRefusals(to: &handler)
    return handler
  }

  private static func addContent(to handler: inout clibxml2_handler) {
    handler.start_element = { user, local, prefix, namespace, _, _, count, _, attributes in
      guard let user, let local else { return }
      Unmanaged<XMLPushParser>.fromOpaque(user)._withUnsafeGuaranteedRef {
        $0.didStart(local, prefix, namespace, XMLAttributes(attributes, count: Int(count)))
      }
    }
    handler.end_element = { user, _, _, _ in
      guard let user else { return }
      Unmanaged<XMLPushParser>.fromOpaque(user)._withUnsafeGuaranteedRef { $0.didEnd() }
    }
    handler.characters = { user, bytes, count in
      guard let user, let bytes, count > 0 else { return }
      Unmanaged<XMLPushParser>.fromOpaque(user)._withUnsafeGuaranteedRef {
        $0.didReceiveText(UnsafeBufferPointer(start: bytes, count: Int(count)))
      }
    }
    handler.cdata = { user, bytes, count in
      guard let user, let bytes, count > 0 else { return }
      Unmanaged<XMLPushParser>.fromOpaque(user)._withUnsafeGuaranteedRef {
        $0.didReceiveMark(bytes.pointee)
      }
    }
    // The same function for both spares libxml2 the search for ignorable white space.
    handler.white_space = handler.characters
    handler.error = { user, error in
      guard let user, let error else { return }
      Unmanaged<XMLPushParser>.fromOpaque(user)._withUnsafeGuaranteedRef { $0.didRecover(error) }
    }
  }

  /// The document type's declarations: nothing that reaches the parser may carry one, and what
  /// they could do (expand, default attributes in quadratic time, load) is never done.
  private static func addRefusals(to handler: inout clibxml2_handler) {
    handler.entity = { user, _, _, _, _, _ in XMLPushParser.refuse("entities", user) }
    handler.attribute_list = { user, _, _, _, _, _, values in
      // libxml2 leaves the enumeration to the callback.
      clibxml2_free_enumeration(values)
      XMLPushParser.refuse("attribute lists", user)
    }
    handler.element = { user, _, _, _ in XMLPushParser.refuse("elements", user) }
    handler.notation = { user, _, _, _ in XMLPushParser.refuse("notations", user) }
    handler.unparsed_entity = { user, _, _, _, _ in XMLPushParser.refuse("entities", user) }
  }

  private static func refuse(_ kind: String, _ user: UnsafeMutableRawPointer?) {
    guard let user else { return }
    Unmanaged<XMLPushParser>.fromOpaque(user)._withUnsafeGuaranteedRef { $0.refuse(kind) }
  }
}

internal import CLibXML2

extension XMLPushParser {
  /// The callbacks: each recovers the parser from the user pointer and calls one method.
  static var callbacks: xmlSAXHandler {
    var sax = xmlSAXHandler()
    sax.initialized = UInt32(XML_SAX2_MAGIC)
    addContent(to: &sax)
    addRefusals(to: &sax)
    return sax
  }

  private static func addContent(to sax: inout xmlSAXHandler) {
    sax.startElementNs = { user, local, prefix, namespace, _, _, count, _, attributes in
      guard let user, let local else { return }
      Unmanaged<XMLPushParser>.fromOpaque(user)._withUnsafeGuaranteedRef {
        $0.didStart(local, prefix, namespace, XMLAttributes(attributes, count: Int(count)))
      }
    }
    sax.endElementNs = { user, _, _, _ in
      guard let user else { return }
      Unmanaged<XMLPushParser>.fromOpaque(user)._withUnsafeGuaranteedRef { $0.didEnd() }
    }
    sax.characters = { user, bytes, count in
      guard let user, let bytes, count > 0 else { return }
      Unmanaged<XMLPushParser>.fromOpaque(user)._withUnsafeGuaranteedRef {
        $0.didReceiveText(UnsafeBufferPointer(start: bytes, count: Int(count)))
      }
    }
    sax.cdataBlock = { user, bytes, count in
      guard let user, let bytes, count > 0 else { return }
      Unmanaged<XMLPushParser>.fromOpaque(user)._withUnsafeGuaranteedRef {
        $0.didReceiveMark(bytes.pointee)
      }
    }
    // The same function for both spares libxml2 the search for ignorable white space.
    sax.ignorableWhitespace = sax.characters
    sax.serror = { user, error in
      guard let user, let error else { return }
      let message = error.pointee.message.map { String(cString: $0) } ?? "error"
      Unmanaged<XMLPushParser>.fromOpaque(user)._withUnsafeGuaranteedRef {
        $0.didRecover(
          line: Int(error.pointee.line),
          code: error.pointee.code,
          message: message,
        )
      }
    }
  }

  /// The document type's declarations: nothing that reaches the parser may carry one, and what
  /// they could do (expand, default attributes in quadratic time, load) is never done.
  private static func addRefusals(to sax: inout xmlSAXHandler) {
    sax.entityDecl = { user, _, _, _, _, _ in XMLPushParser.refuse("entities", user) }
    sax.attributeDecl = { user, _, _, _, _, _, values in
      // libxml2 leaves the enumeration to the callback.
      xmlFreeEnumeration(values)
      XMLPushParser.refuse("attribute lists", user)
    }
    sax.elementDecl = { user, _, _, _ in XMLPushParser.refuse("elements", user) }
    sax.notationDecl = { user, _, _, _ in XMLPushParser.refuse("notations", user) }
    sax.unparsedEntityDecl = { user, _, _, _, _ in XMLPushParser.refuse("entities", user) }
  }

  private static func refuse(_ kind: String, _ user: UnsafeMutableRawPointer?) {
    guard let user else { return }
    Unmanaged<XMLPushParser>.fromOpaque(user)._withUnsafeGuaranteedRef { $0.refuse(kind) }
  }
}

/// What has to be done to libxml2 once in a process.
enum XMLLibrary {
  /// Whether an error's code is one of a document that ended too early.
  static func isEnd(_ code: Int32) -> Bool {
    let ends = [XML_ERR_DOCUMENT_END, XML_ERR_TAG_NOT_FINISHED, XML_ERR_CDATA_NOT_FINISHED]
    return ends.contains { Int32($0.rawValue) == code }
  }

  static func prepare() {
    _ = isPrepared
  }

  private static let isPrepared: Bool = {
    xmlInitParser()
    // No external entity is ever loaded, from the disk or the net.
    xmlSetExternalEntityLoader { _, _, _ in nil }
    return true
  }()
}

import System

/// The "in body" insertion mode (HTML §13.2.6.4.7).
extension HTMLTreeBuilder {
  mutating func startInBody(_ tag: HTMLTag) {
    switch tag {
    case _ where tag.isOfHead: startOfHead(tag)
    case .body: if open.count > 1, htmlTag(open[1]) == .body { mayBeFrameset = false }
    case .frameset: startFrameset()
    case .p, .xmp, .plaintext, .pre, .listing, .hr, .form, .table: startBlock(tag)
    case _ where tag.isBlock:
      endParagraph()
      insert(tag)
    case _ where tag.isHeading:
      endParagraph()
      if htmlTag(current).isHeading { pop() }
      insert(tag)
    case .li, .dd, .dt: startItem(tag)
    case .select, .option, .optgroup, .input, .keygen, .textarea, .button: startField(tag)
    case .a, .nobr:
      startLink(tag)
      openFormatting(tag)
    case _ where tag.isFormatting:
      reopenFormatting()
      openFormatting(tag)
    case .applet, .marquee, .object:
      reopenFormatting()
      insert(tag)
      beginFormatting()
      mayBeFrameset = false
    case .image: startInBody(.img)
    case .param, .source, .track: insertVoid(tag)
    case .iframe, .noembed:
      if tag == .iframe { mayBeFrameset = false }
      insertRaw(tag)
    case .rb, .rtc, .rp, .rt:
      if hasInScope(.ruby) { endImplied(except: tag == .rb || tag == .rtc ? .unknown : .rtc) }
      insert(tag)
    case .math, .svg:
      reopenFormatting()
      insertForeign(tag, tag == .svg ? .svg : .math)
    case .head, .frame: break
    case _ where tag.isOfTable: break
    default:
      reopenFormatting()
      guard tag.isVoid else {
        _ = insert(tag)
        return
      }
      insertVoid(tag)
      mayBeFrameset = false
    }
  }

  private mutating func startBlock(_ tag: HTMLTag) {
    let isInTemplate = tag == .form && isOpen(.template)
    if tag == .form, form != Self.none, !isInTemplate { return }
    if tag != .table || !isQuirky { endParagraph() }
    switch tag {
    case .xmp:
      reopenFormatting()
      insertRaw(tag)
    case .plaintext: insertRaw(tag)
    case .hr:
      if hasInScope(.select) { endImplied() }
      insertVoid(tag)
    case .form:
      let node = insert(tag)
      if !isInTemplate { form = node }
    default: insert(tag)
    }
    if tag == .pre || tag == .listing { skipsLineFeed = true }
    if tag == .table { mode = .inTable }
    if tag != .p, tag != .form, tag != .plaintext { mayBeFrameset = false }
  }

  private mutating func startItem(_ tag: HTMLTag) {
    mayBeFrameset = false
    for index in open.reversed() {
      let found = htmlTag(index)
      if found == tag || tag != .li && (found == .dd || found == .dt) {
        endImplied(except: found)
        pop(through: found)
        break
      }
      if isSpecial(index), found != .address, found != .div, found != .p { break }
    }
    endParagraph()
    insert(tag)
  }

  private mutating func startField(_ tag: HTMLTag) {
    let isInSelect = hasInScope(.select)
    switch tag {
    case .select where isInSelect: return pop(through: .select)
    case .input where context != Self.none && htmlTag(context) == .select: return
    case .input where isInSelect: pop(through: .select)
    case .option, .optgroup:
      if isInSelect {
        endImplied(except: tag == .option ? .optgroup : .unknown)
      } else if htmlTag(current) == .option {
        pop()
      }
    case .button where hasInScope(.button):
      endImplied()
      pop(through: .button)
    case .textarea:
      mayBeFrameset = false
      return insertRaw(tag)
    default: break
    }
    reopenFormatting()
    guard tag == .input || tag == .keygen else {
      insert(tag)
      if tag == .select || tag == .button { mayBeFrameset = false }
      return
    }
    if tokenizer.decodedValue(of: "type")?.lowercased() != "hidden" { mayBeFrameset = false }
    insertVoid(tag)
  }

  private mutating func startLink(_ tag: HTMLTag) {
    if tag == .nobr {
      reopenFormatting()
      guard hasInScope(.nobr) else { return }
      endFormatting(tag)
    } else {
      let start = (formatting.lastIndex(of: Self.none) ?? -1) + 1
      if let old = formatting[start...].last(where: { htmlTag($0) == .a }) {
        endFormatting(tag)
        formatting.removeAll { $0 == old }
        open.removeAll { $0 == old }
      }
    }
    reopenFormatting()
  }

  private mutating func startFrameset() {
    guard mayBeFrameset, open.count > 1, htmlTag(open[1]) == .body else { return }
    tree.remove(open[1])
    open.removeSubrange(1...)
    insert(.frameset)
    mode = .inFrameset
  }

  // MARK: Ends

  mutating func endInBody(_ tag: HTMLTag) {
    switch tag {
    case .template: endTemplate()
    case .body, .html:
      guard hasInScope(.body) else { return }
      mode = .afterBody
      if tag == .html { end(tag, in: mode) }
    case .form where !isOpen(.template): endForm()
    case .p:
      if !hasParagraph { insert(synthetic: .p) }
      endParagraph()
    case .br:
      reopenFormatting()
      insert(synthetic: .br)
      open.removeLast()
      mayBeFrameset = false
    case .li:
      guard hasInScope({ $0 == .li }, alsoEnding: { $0 == .ol || $0 == .ul }) else { return }
      endImplied(except: tag)
      pop(through: tag)
    case _ where tag.isHeading:
      guard hasInScope(\.isHeading) else { return }
      endImplied()
      pop(through: \.isHeading)
    case _ where tag.isFormatting: endFormatting(tag)
    // Browsers with scripts end `noscript` here, whatever is open in it.
    case _ where tag.isBlock || tag.endsItself || tag == .noscript:
      guard hasInScope(tag) else { return }
      endImplied(except: tag == .dd || tag == .dt ? tag : .unknown)
      pop(through: tag)
      if [.applet, .marquee, .object].contains(tag) { endFormatting() }
    default: endAny(tag)
    }
  }

  private mutating func endForm() {
    let node = form
    form = Self.none
    guard node != Self.none, open.contains(node), hasInScope(.form) else { return }
    endImplied()
    open.removeAll { $0 == node }
  }

  mutating func endAny(_ tag: HTMLTag) {
    for (position, index) in open.enumerated().reversed() {
      if tree[index].space == .html, isNamed(index, tag) {
        endImplied(except: tag)
        open.removeSubrange(max(min(position, open.count), context == Self.none ? 0 : 1)...)
        return
      }
      if isSpecial(index) { return }
    }
  }

  func isNamed(_ index: Int32, _ tag: HTMLTag) -> Bool {
    guard tag == .unknown else { return tree[index].tag == tag }
    return tree[index].tag == tag
      && tree.slice(tree[index].name).elementsEqual(tokenizer.bytes[tokenizer.name]) {
        $0.asciiLowercased == $1.asciiLowercased
      }
  }
}

// MARK: - Foreign elements (HTML §13.2.6.5)

extension HTMLTreeBuilder {
  func isForeign(_ index: Int32) -> Bool { tree[index].space != .html }

  func isTextPoint(_ index: Int32) -> Bool {
    guard tree[index].space == .math, let tag = tree[index].tag else { return false }
    return [.mi, .mo, .mn, .ms, .mtext].contains(tag)
  }

  func isMarkupPoint(_ index: Int32) -> Bool {
    let node = tree[index]
    switch node.space {
    case .html: return false
    case .svg: return node.tag == .foreignObject || node.tag == .desc || node.tag == .title
    case .math:
      guard node.tag == .annotationXML else { return false }
      let encoding = HTMLAttributes(tree, node.content)["encoding"]?.lowercased()
      return encoding == "text/html" || encoding == "application/xhtml+xml"
    }
  }

  func isIntegrationPoint(_ index: Int32) -> Bool { isTextPoint(index) || isMarkupPoint(index) }

  func takesStartTag(_ index: Int32, _ tag: HTMLTag) -> Bool {
    isMarkupPoint(index) || isTextPoint(index) && tag != .mglyph && tag != .malignmark
      || tag == .svg && tree[index].space == .math && tree[index].tag == .annotationXML
  }

  mutating func startForeign(_ tag: HTMLTag) {
    let isOld =
      tag == .font && ["color", "face", "size"].contains { tokenizer.value(of: $0) != nil }
    guard tag.isNeverForeign || isOld else {
      return insertForeign(tag, tree[adjusted].space)
    }
    leaveForeign()
    start(tag, in: mode)
  }

  private mutating func leaveForeign() {
    while open.count > 1, isForeign(current), !isIntegrationPoint(current) { open.removeLast() }
  }

  mutating func insertForeign(_ tag: HTMLTag, _ space: HTMLTree.Space) {
    insert(tag, space: space)
    if tokenizer.isSelfClosing { open.removeLast() }
  }

  mutating func endForeign(_ tag: HTMLTag) {
    if tag == .p || tag == .br {
      leaveForeign()
      return end(tag, in: mode)
    }
    for position in open.indices.dropFirst().reversed() {
      if !isForeign(open[position]) { return end(tag, in: mode) }
      if isNamed(open[position], tag) {
        open.removeSubrange(position...)
        return
      }
    }
  }
}

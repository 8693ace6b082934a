/// The insertion modes (HTML §13.2.6.4).
extension HTMLTreeBuilder {
  mutating func start(_ tag: HTMLTag, in mode: Mode) {
    if tag == .html, mode != .initial, mode != .beforeHTML { return }
    switch mode {
    case .initial: startAhead(tag)
    case .beforeHTML:
      guard tag == .html else { return startAhead(tag) }
      insert(tag)
      self.mode = .beforeHead
    case .beforeHead:
      guard tag == .head else { return startAhead(tag) }
      head = insert(tag)
      self.mode = .inHead
    case .inHead:
      if tag.isOfHead { return startOfHead(tag) }
      if tag == .noscript {
        insert(tag)
        self.mode = .inHeadNoscript
      } else if tag != .head {
        startAhead(tag)
      }
    case .inHeadNoscript:
      if tag == .head || tag == .noscript { return }
      if tag.isOfHead, ![.base, .script, .template, .title].contains(tag) {
        return startOfHead(tag)
      }
      startAhead(tag)
    case .afterHead: startAfterHead(tag)
    case .inBody, .inText: startInBody(tag)
    case .inTable, .inCaption, .inColumnGroup, .inTableBody, .inRow, .inCell:
      startInTable(tag, mode)
    case .inTemplate: startInTemplate(tag)
    case .afterBody, .afterAfterBody: startAhead(tag)
    case .inFrameset, .afterFrameset, .afterAfterFrameset: startAmongFrames(tag, mode)
    }
  }

  private mutating func startAhead(_ tag: HTMLTag) {
    advance()
    start(tag, in: mode)
  }

  private mutating func startAfterHead(_ tag: HTMLTag) {
    switch tag {
    case .body:
      insert(tag)
      mayBeFrameset = false
      mode = .inBody
    case .frameset:
      insert(tag)
      mode = .inFrameset
    case .head: break
    case _ where tag.isOfHead:
      open.append(head)
      startOfHead(tag)
      open.removeAll { $0 == head }
    default: startAhead(tag)
    }
  }

  mutating func startOfHead(_ tag: HTMLTag) {
    if tag == .template {
      insert(tag)
      beginFormatting()
      mayBeFrameset = false
      mode = .inTemplate
      templateModes.append(.inTemplate)
    } else if tag.isRaw {
      insertRaw(tag)
    } else {
      insertVoid(tag)
    }
  }

  private mutating func startInTemplate(_ tag: HTMLTag) {
    if tag.isOfHead { return startOfHead(tag) }
    switch tag {
    case .caption, .colgroup, .tbody, .tfoot, .thead: mode = .inTable
    case .col: mode = .inColumnGroup
    case .tr: mode = .inTableBody
    case .td, .th: mode = .inRow
    default: mode = .inBody
    }
    if !templateModes.isEmpty { templateModes[templateModes.count - 1] = mode }
    start(tag, in: mode)
  }

  private mutating func startAmongFrames(_ tag: HTMLTag, _ mode: Mode) {
    switch tag {
    case .noframes: startOfHead(tag)
    case .frameset where mode == .inFrameset: insert(tag)
    case .frame where mode == .inFrameset: insertVoid(tag)
    default: break
    }
  }

  // MARK: Ends

  mutating func end(_ tag: HTMLTag, in mode: Mode) {
    switch mode {
    case .initial: endAhead(tag)
    case .beforeHTML, .beforeHead, .afterHead:
      if tag == .template, mode == .afterHead { return endTemplate() }
      if [.head, .body, .html, .br].contains(tag), mode != .afterHead || tag != .head {
        endAhead(tag)
      }
    case .inHead:
      if tag == .template { return endTemplate() }
      if tag == .head { return advance() }
      if [.body, .html, .br].contains(tag) { endAhead(tag) }
    case .inHeadNoscript:
      if tag == .noscript { return advance() }
      if tag == .br { endAhead(tag) }
    case .inBody: endInBody(tag)
    case .inText:
      pop()
      self.mode = outerMode
    case .inTable, .inCaption, .inColumnGroup, .inTableBody, .inRow, .inCell:
      endInTable(tag, mode)
    case .inTemplate: if tag == .template { endTemplate() }
    case .afterBody where tag == .html:
      if context == Self.none { self.mode = .afterAfterBody }
    case .afterBody, .afterAfterBody: endAhead(tag)
    case .inFrameset, .afterFrameset, .afterAfterFrameset: endAmongFrames(tag, mode)
    }
  }

  private mutating func endAhead(_ tag: HTMLTag) {
    advance()
    end(tag, in: mode)
  }

  private mutating func endAmongFrames(_ tag: HTMLTag, _ mode: Mode) {
    if tag == .frameset, mode == .inFrameset, open.count > 1 {
      pop()
      if context == Self.none, htmlTag(current) != .frameset { self.mode = .afterFrameset }
    } else if tag == .html, mode == .afterFrameset {
      self.mode = .afterAfterFrameset
    }
  }

  mutating func endTemplate() {
    guard isOpen(.template) else { return }
    while htmlTag(current).hasImpliedEnd || htmlTag(current).isOfTable { pop() }
    pop(through: .template)
    endFormatting()
    _ = templateModes.popLast()
    resetMode()
  }
}

// MARK: - Tables

extension HTMLTreeBuilder {
  private mutating func startInTable(_ tag: HTMLTag, _ mode: Mode) {
    switch mode {
    case .inCell where tag.isOfTable:
      guard hasInTable(\.isCell) else { return }
      endCell()
      start(tag, in: self.mode)
    case .inCaption where tag.isOfTable: if endCaption() { start(tag, in: self.mode) }
    case .inCell, .inCaption: startInBody(tag)
    case .inColumnGroup:
      if tag == .col { return insertVoid(tag) }
      if tag == .template { return startOfHead(tag) }
      if endColumns() { start(tag, in: self.mode) }
    case .inRow where tag.isCell:
      clear(to: { $0 == .tr })
      insert(tag)
      self.mode = .inCell
      beginFormatting()
    case .inRow where tag.isOfTable: if endRow() { start(tag, in: self.mode) }
    case .inTableBody where tag == .tr || tag.isCell:
      clear(to: \.isRowGroup)
      if tag == .tr { insert(tag) } else { insert(synthetic: .tr) }
      self.mode = .inRow
      if tag != .tr { start(tag, in: .inRow) }
    case .inTableBody where tag.isOfTable: if endRowGroup() { start(tag, in: self.mode) }
    default: startInTable(tag)
    }
  }

  private mutating func startInTable(_ tag: HTMLTag) {
    switch tag {
    case .caption:
      clear(to: { $0 == .table })
      beginFormatting()
      insert(tag)
      mode = .inCaption
    case .colgroup, .col:
      clear(to: { $0 == .table })
      if tag == .colgroup { insert(tag) } else { insert(synthetic: .colgroup) }
      mode = .inColumnGroup
      if tag == .col { insertVoid(tag) }
    case .tbody, .tfoot, .thead, .tr, .td, .th:
      clear(to: { $0 == .table })
      if tag.isRowGroup { insert(tag) } else { insert(synthetic: .tbody) }
      mode = .inTableBody
      if !tag.isRowGroup { start(tag, in: mode) }
    case .table: if endTable() { start(tag, in: mode) }
    case .style, .script, .template: startOfHead(tag)
    case .input where tokenizer.decodedValue(of: "type")?.lowercased() == "hidden": insertVoid(tag)
    case .form:
      guard form == Self.none, !isOpen(.template) else { return }
      form = insert(tag)
      pop()
    default:
      fostering { $0.startInBody(tag) }
    }
  }

  private mutating func endInTable(_ tag: HTMLTag, _ mode: Mode) {
    if tag == .template { return endTemplate() }
    switch mode {
    case .inCell where tag.isCell:
      guard hasInTable(tag) else { return }
      endImplied()
      pop(through: tag)
      endFormatting()
      self.mode = .inRow
    case .inCell where tag == .table || tag == .tr || tag.isRowGroup:
      guard hasInTable(tag) else { return }
      endCell()
      end(tag, in: self.mode)
    case .inCaption where tag == .caption: _ = endCaption()
    case .inCaption where tag == .table: if endCaption() { end(tag, in: self.mode) }
    case .inCell, .inCaption: if !tag.isOfTable, tag != .body, tag != .html { endInBody(tag) }
    case .inColumnGroup:
      if tag != .col, endColumns(), tag != .colgroup { end(tag, in: self.mode) }
    case .inRow where tag == .tr: _ = endRow()
    case .inRow where tag == .table: if endRow() { end(tag, in: self.mode) }
    case .inRow where tag.isRowGroup:
      if hasInTable(tag), endRow() { end(tag, in: self.mode) }
    case .inTableBody where tag.isRowGroup: if hasInTable(tag) { _ = endRowGroup() }
    case .inTableBody where tag == .table: if endRowGroup() { end(tag, in: self.mode) }
    default:
      if tag == .table {
        _ = endTable()
      } else if !tag.isOfTable, tag != .body, tag != .html {
        fostering { $0.endInBody(tag) }
      }
    }
  }

  private mutating func endCell() {
    endImplied()
    pop(through: \.isCell)
    endFormatting()
    mode = .inRow
  }

  private mutating func endCaption() -> Bool {
    guard hasInTable(.caption) else { return false }
    endImplied()
    pop(through: .caption)
    endFormatting()
    mode = .inTable
    return true
  }

  private mutating func endColumns() -> Bool {
    guard htmlTag(current) == .colgroup else { return false }
    pop()
    mode = .inTable
    return true
  }

  private mutating func endRow() -> Bool { endPart({ $0 == .tr }, then: .inTableBody) }

  private mutating func endRowGroup() -> Bool { endPart(\.isRowGroup, then: .inTable) }

  private mutating func endPart(_ isPart: (HTMLTag) -> Bool, then next: Mode) -> Bool {
    guard hasInTable(isPart) else { return false }
    clear(to: isPart)
    pop()
    mode = next
    return true
  }

  private mutating func endTable() -> Bool {
    guard hasInTable(.table) else { return false }
    pop(through: .table)
    resetMode()
    return true
  }
}

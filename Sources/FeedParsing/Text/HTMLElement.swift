/// The elements of HTML, and what their tags are to plain text.
enum HTMLElement {
  /// What becomes of an element.
  enum Kind: UInt8 {
    /// Its tags separate words: `b`.
    case block = 0x62
    /// The same, and it needs no end tag: `o`.
    case openBlock = 0x6F
    /// Its tags are nothing: `i`.
    case inline = 0x69
    /// Inline, and without content: `v`.
    case void = 0x76
    /// Its content is not text, or not for readers of text: `d`.
    case dropped = 0x64

    var separatesWords: Bool { self == .block || self == .openBlock }
    var needsEndTag: Bool { self != .openBlock && self != .void }
  }

  /// The kind of the element with that name, upper or lower case; nil if HTML has no such element.
  static func kind(of name: Slice<UnsafeBufferPointer<UInt8>>) -> Kind? {
    guard name.count <= nameWidth else { return nil }
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      let record = records.utf8Start + middle * stride
      switch compare(name, with: record) {
      case 0: return Kind(rawValue: record[nameWidth])
      case ..<0: high = middle
      default: low = middle + 1
      }
    }
    return nil
  }

  private static func compare(
    _ name: Slice<UnsafeBufferPointer<UInt8>>,
    with record: UnsafePointer<UInt8>,
  ) -> Int {
    var index = 0
    for byte in name {
      let lower = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
      guard lower == record[index] else { return Int(lower) - Int(record[index]) }
      index += 1
    }
    return index == nameWidth || record[index] == 0x20 ? 0 : -1
  }

  private static let nameWidth = 10
  private static let stride = nameWidth + 2
  private static let count = records.utf8CodeUnitCount / stride

  /// Sorted names, padded, each with its kind: the current elements of HTML, the obsolete ones
  /// (HTML §16.2), and the presentational ones of MathML.
  private static let records: StaticString = """
    a         i
    abbr      i
    acronym   i
    address   b
    applet    i
    area      v
    article   b
    aside     b
    audio     d
    b         i
    base      v
    basefont  v
    bdi       i
    bdo       i
    bgsound   v
    big       i
    blink     i
    blockquoteb
    body      o
    br        o
    button    i
    canvas    d
    caption   o
    center    b
    cite      i
    code      i
    col       o
    colgroup  o
    data      i
    datalist  i
    dd        o
    del       i
    details   b
    dfn       i
    dialog    b
    dir       b
    div       b
    dl        b
    dt        o
    em        i
    embed     v
    fieldset  b
    figcaptionb
    figure    b
    font      i
    footer    b
    form      b
    frame     v
    frameset  b
    h1        b
    h2        b
    h3        b
    h4        b
    h5        b
    h6        b
    head      d
    header    b
    hgroup    b
    hr        o
    html      o
    i         i
    iframe    d
    image     v
    img       v
    input     v
    ins       i
    isindex   v
    kbd       i
    keygen    v
    label     i
    legend    b
    li        o
    link      v
    main      b
    map       i
    mark      i
    marquee   i
    math      i
    menclose  i
    menu      b
    meta      v
    meter     i
    mfrac     i
    mi        i
    mn        i
    mo        i
    mover     i
    mrow      i
    ms        i
    mspace    i
    msqrt     i
    mstyle    i
    msub      i
    msubsup   i
    msup      i
    mtable    i
    mtd       i
    mtext     i
    mtr       i
    munder    i
    nav       b
    nobr      i
    noembed   d
    noframes  d
    noscript  i
    object    i
    ol        b
    optgroup  o
    option    o
    output    i
    p         o
    param     v
    picture   i
    plaintext b
    pre       b
    progress  i
    q         i
    rb        i
    rp        i
    rt        i
    rtc       i
    ruby      i
    s         i
    samp      i
    script    d
    search    b
    section   b
    select    i
    semantics i
    slot      i
    small     i
    source    v
    spacer    v
    span      i
    strike    i
    strong    i
    style     d
    sub       i
    summary   b
    sup       i
    svg       d
    table     b
    tbody     o
    td        o
    template  d
    textarea  i
    tfoot     o
    th        o
    thead     o
    time      i
    title     b
    tr        o
    track     v
    tt        i
    u         i
    ul        b
    var       i
    video     d
    wbr       v
    xmp       b

    """
}

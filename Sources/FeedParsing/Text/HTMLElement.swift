/// The elements of HTML, and what their tags are to plain text.
enum HTMLElement {
  /// What becomes of an element.
  enum Kind {
    /// Its tags separate words.
    case block
    /// The same, and it needs no end tag.
    case openBlock
    /// Its tags are nothing.
    case inline
    /// Inline, and without content.
    case void
    /// Its content is not text, or not for readers of text.
    case dropped

    var separatesWords: Bool { self == .block || self == .openBlock }
    var needsEndTag: Bool { self != .openBlock && self != .void }
  }

  /// The kind of the element with that name, upper or lower case; nil if HTML has no such element.
  static func kind(of name: Slice<UnsafeBufferPointer<UInt8>>) -> Kind? {
    guard name.count <= 8 else { return kind(ofLong: name) }
    var packed: UInt64 = 0
    for byte in name {
      packed = packed << 8 | UInt64((0x41...0x5A).contains(byte) ? byte | 0x20 : byte)
    }
    return kind(ofPacked: packed)
  }

  private static func kind(ofLong name: Slice<UnsafeBufferPointer<UInt8>>) -> Kind? {
    guard name.count <= 10 else { return nil }
    return switch String(decoding: name, as: UTF8.self).lowercased() {
    case "blockquote", "figcaption", "plaintext": .block
    case "semantics": .inline
    default: nil
    }
  }

  /// The kinds of the names of up to eight letters, packed big-endian into a number.
  ///
  /// The current elements of HTML, the obsolete ones (HTML §16.2), and the presentational ones of
  /// MathML. Made by a script that packs `name.utf8`; the names are beside their numbers.
  private static func kind(ofPacked name: UInt64) -> Kind? {
    switch name {
    case 0x646C,  // dl
      0x6831,  // h1
      0x6832,  // h2
      0x6833,  // h3
      0x6834,  // h4
      0x6835,  // h5
      0x6836,  // h6
      0x6F6C,  // ol
      0x756C,  // ul
      0x0064_6972,  // dir
      0x0064_6976,  // div
      0x666F_726D,  // form
      0x6D61_696E,  // main
      0x6D65_6E75,  // menu
      0x006E_6176,  // nav
      0x0070_7265,  // pre
      0x0078_6D70,  // xmp
      0x0061_7369_6465,  // aside
      0x6365_6E74_6572,  // center
      0x6469_616C_6F67,  // dialog
      0x6669_6775_7265,  // figure
      0x666F_6F74_6572,  // footer
      0x6865_6164_6572,  // header
      0x6867_726F_7570,  // hgroup
      0x6C65_6765_6E64,  // legend
      0x7365_6172_6368,  // search
      0x0074_6162_6C65,  // table
      0x0074_6974_6C65,  // title
      0x0061_6464_7265_7373,  // address
      0x0061_7274_6963_6C65,  // article
      0x0064_6574_6169_6C73,  // details
      0x6669_656C_6473_6574,  // fieldset
      0x6672_616D_6573_6574,  // frameset
      0x0073_6563_7469_6F6E,  // section
      0x0073_756D_6D61_7279:  // summary
      .block
    case 0x70,  // p
      0x6272,  // br
      0x6464,  // dd
      0x6474,  // dt
      0x6872,  // hr
      0x6C69,  // li
      0x7464,  // td
      0x7468,  // th
      0x7472,  // tr
      0x626F_6479,  // body
      0x0063_6F6C,  // col
      0x6874_6D6C,  // html
      0x6F70_7469_6F6E,  // option
      0x0074_626F_6479,  // tbody
      0x0074_666F_6F74,  // tfoot
      0x0074_6865_6164,  // thead
      0x0063_6170_7469_6F6E,  // caption
      0x636F_6C67_726F_7570,  // colgroup
      0x6F70_7467_726F_7570:  // optgroup
      .openBlock
    case 0x61,  // a
      0x62,  // b
      0x69,  // i
      0x71,  // q
      0x73,  // s
      0x75,  // u
      0x656D,  // em
      0x6D69,  // mi
      0x6D6E,  // mn
      0x6D6F,  // mo
      0x6D73,  // ms
      0x7262,  // rb
      0x7270,  // rp
      0x7274,  // rt
      0x7474,  // tt
      0x6162_6272,  // abbr
      0x0062_6469,  // bdi
      0x0062_646F,  // bdo
      0x0062_6967,  // big
      0x6369_7465,  // cite
      0x636F_6465,  // code
      0x6461_7461,  // data
      0x0064_656C,  // del
      0x0064_666E,  // dfn
      0x666F_6E74,  // font
      0x0069_6E73,  // ins
      0x006B_6264,  // kbd
      0x006D_6170,  // map
      0x6D61_726B,  // mark
      0x6D61_7468,  // math
      0x6D72_6F77,  // mrow
      0x6D73_7562,  // msub
      0x6D73_7570,  // msup
      0x006D_7464,  // mtd
      0x006D_7472,  // mtr
      0x6E6F_6272,  // nobr
      0x0072_7463,  // rtc
      0x7275_6279,  // ruby
      0x7361_6D70,  // samp
      0x736C_6F74,  // slot
      0x7370_616E,  // span
      0x0073_7562,  // sub
      0x0073_7570,  // sup
      0x7469_6D65,  // time
      0x0076_6172,  // var
      0x6170_706C_6574,  // applet
      0x0062_6C69_6E6B,  // blink
      0x6275_7474_6F6E,  // button
      0x006C_6162_656C,  // label
      0x006D_6574_6572,  // meter
      0x006D_6672_6163,  // mfrac
      0x006D_6F76_6572,  // mover
      0x6D73_7061_6365,  // mspace
      0x006D_7371_7274,  // msqrt
      0x6D73_7479_6C65,  // mstyle
      0x6D74_6162_6C65,  // mtable
      0x006D_7465_7874,  // mtext
      0x6D75_6E64_6572,  // munder
      0x6F62_6A65_6374,  // object
      0x6F75_7470_7574,  // output
      0x7365_6C65_6374,  // select
      0x0073_6D61_6C6C,  // small
      0x7374_7269_6B65,  // strike
      0x7374_726F_6E67,  // strong
      0x0061_6372_6F6E_796D,  // acronym
      0x6461_7461_6C69_7374,  // datalist
      0x006D_6172_7175_6565,  // marquee
      0x6D65_6E63_6C6F_7365,  // menclose
      0x006D_7375_6273_7570,  // msubsup
      0x6E6F_7363_7269_7074,  // noscript
      0x0070_6963_7475_7265,  // picture
      0x7072_6F67_7265_7373,  // progress
      0x7465_7874_6172_6561:  // textarea
      .inline
    case 0x6172_6561,  // area
      0x6261_7365,  // base
      0x0069_6D67,  // img
      0x6C69_6E6B,  // link
      0x6D65_7461,  // meta
      0x0077_6272,  // wbr
      0x0065_6D62_6564,  // embed
      0x0066_7261_6D65,  // frame
      0x0069_6D61_6765,  // image
      0x0069_6E70_7574,  // input
      0x6B65_7967_656E,  // keygen
      0x0070_6172_616D,  // param
      0x736F_7572_6365,  // source
      0x7370_6163_6572,  // spacer
      0x0074_7261_636B,  // track
      0x6261_7365_666F_6E74,  // basefont
      0x0062_6773_6F75_6E64,  // bgsound
      0x0069_7369_6E64_6578:  // isindex
      .void
    case 0x6865_6164,  // head
      0x0073_7667,  // svg
      0x0061_7564_696F,  // audio
      0x6361_6E76_6173,  // canvas
      0x6966_7261_6D65,  // iframe
      0x7363_7269_7074,  // script
      0x0073_7479_6C65,  // style
      0x0076_6964_656F,  // video
      0x006E_6F65_6D62_6564,  // noembed
      0x6E6F_6672_616D_6573,  // noframes
      0x7465_6D70_6C61_7465:  // template
      .dropped
    default: nil
    }
  }
}

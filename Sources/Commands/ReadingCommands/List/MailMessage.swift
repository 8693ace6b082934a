import HTMLText
import System

/// A message with one text in two forms, plain and HTML (RFC 5322, RFC 2046), for `sendmail -t`.
///
/// Its lines end as those of files do: what sends the message makes CR LF of that.
struct MailMessage {
  let address: String
  let subject: String
  let text: String
  let html: Markup

  /// Returns the message; `date` is in seconds since 1970.
  func lines(at date: Int) -> [String] {
    // "=_" stands in no quoted-printable text (RFC 2045 §6.7).
    let boundary = "=_news"
    let html = String(decoding: html.bytes, as: UTF8.self)
    let id = FNV1a.hash("\(date) \(subject) \(text)").hexadecimal
    return [
      "From: news <\(address)>",
      "To: \(address)",
      "Subject: \(Self.header(subject))",
      "Date: \(MailDate.text(date).replacing("GMT", with: "+0000"))",
      "Message-ID: <\(id)@\(address.drop { $0 != "@" }.dropFirst())>",
      "Auto-Submitted: auto-generated",
      "MIME-Version: 1.0",
      "Content-Type: multipart/alternative; boundary=\"\(boundary)\"",
      "",
    ] + Self.part("plain", text, boundary) + Self.part("html", html, boundary) + ["--\(boundary)--"]
  }

  private static func part(_ type: String, _ text: String, _ boundary: String) -> [String] {
    [
      "--\(boundary)", "Content-Type: text/\(type); charset=utf-8",
      "Content-Transfer-Encoding: quoted-printable", "",
    ] + text.split(separator: "\n", omittingEmptySubsequences: false).flatMap(quotedPrintable)
  }

  /// Returns the lines of one line (RFC 2045 §6.7), none longer than 76 signs.
  static func quotedPrintable(_ line: Substring) -> [String] {
    let bytes = Array(line.utf8)
    var lines = [""]
    for (index, byte) in bytes.enumerated() {
      let isLast = index == bytes.count - 1
      let isBlank = byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
      var isPlain = isBlank ? !isLast : (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "=")
      // A dot alone would end the message for some programs, and "From " begin another.
      if lines.last == "", byte == UInt8(ascii: ".") || byte == UInt8(ascii: "F") {
        isPlain = false
      }
      let sign =
        isPlain
        ? String(UnicodeScalar(byte)) : "=" + byte.padded(to: 2, radix: 16, uppercase: true)
      if lines[lines.count - 1].utf8.count + sign.utf8.count > (isLast ? 76 : 75) {
        lines[lines.count - 1] += "="
        lines.append("")
      }
      lines[lines.count - 1] += sign
    }
    return lines
  }

  /// Returns the value of a header, in encoded words where it needs them (RFC 2047 §2).
  static func header(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    if isPlain, text.utf8.count <= 65, !text.contains("=?") { return text }
    var words = [""]
    for scalar in text.unicodeScalars {
      let sign = String(scalar).utf8.map { byte in
        byte == UInt8(ascii: " ")
          ? "_"
          : byte.isASCIILetterOrDigit
            ? String(UnicodeScalar(byte)) : "=" + byte.padded(to: 2, radix: 16, uppercase: true)
      }.joined()
      // A line has at most 76 signs, 12 of which frame a word; a character is in one word.
      if words[words.count - 1].utf8.count + sign.utf8.count > 50 { words.append("") }
      words[words.count - 1] += sign
    }
    return words.map { "=?utf-8?Q?\($0)?=" }.joined(separator: "\n ")
  }
}

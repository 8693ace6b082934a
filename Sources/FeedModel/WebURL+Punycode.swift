/// International host names in ASCII (RFC 3492), since libcurl depends on the locale for others.
enum Punycode {
  /// The host with its labels in lower case and, where they are not ASCII, encoded; nil if one
  /// cannot be a label.
  static func ascii(host: some StringProtocol) -> String? {
    var labels: [String] = []
    let scalars = host.unicodeScalars
    for label in scalars.split(omittingEmptySubsequences: false, whereSeparator: dots.contains) {
      let lower = String(String.UnicodeScalarView(label)).lowercased()
      if lower.utf8.allSatisfy({ $0 < 0x80 }) {
        labels.append(lower)
      } else {
        guard let encoded = encode(lower) else { return nil }
        labels.append("xn--" + encoded)
      }
    }
    return labels.joined(separator: ".")
  }

  /// What separates labels (RFC 3490 §3.1).
  private static let dots: [Unicode.Scalar] = [".", "\u{3002}", "\u{FF0E}", "\u{FF61}"]

  private static let base: UInt32 = 36

  /// Encodes a label (RFC 3492 §6.3).
  ///
  /// It has at most 63 characters, so that nothing here overflows.
  private static func encode(_ label: String) -> String? {
    let points = label.unicodeScalars.map(\.value)
    guard points.count <= 63, label.unicodeScalars.allSatisfy({ !isInvisible($0) }) else {
      return nil
    }
    var output = points.filter { $0 < 0x80 }.map { UInt8($0) }
    var handled = UInt32(output.count)
    let basic = handled
    if basic > 0 { output.append(0x2D) }
    var (current, delta, bias): (UInt32, UInt32, UInt32) = (0x80, 0, 72)
    while handled < points.count {
      let next = points.filter { $0 >= current }.min() ?? current
      delta += (next - current) * (handled + 1)
      current = next
      for point in points {
        if point < current { delta += 1 }
        guard point == current else { continue }
        append(delta, bias: bias, to: &output)
        bias = adapt(delta, count: handled + 1, isFirst: handled == basic)
        delta = 0
        handled += 1
      }
      delta += 1
      current += 1
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static func append(_ delta: UInt32, bias: UInt32, to output: inout [UInt8]) {
    var rest = delta
    var position = base
    while true {
      let threshold = position <= bias ? 1 : min(position - bias, 26)
      guard rest >= threshold else { break }
      output.append(digit(threshold + (rest - threshold) % (base - threshold)))
      rest = (rest - threshold) / (base - threshold)
      position += base
    }
    output.append(digit(rest))
  }

  /// Adapts the bias (RFC 3492 §6.1).
  private static func adapt(_ delta: UInt32, count: UInt32, isFirst: Bool) -> UInt32 {
    var rest = isFirst ? delta / 700 : delta / 2
    rest += rest / count
    var bias: UInt32 = 0
    while rest > 455 {
      rest /= 35
      bias += base
    }
    return bias + 36 * rest / (rest + 38)
  }

  private static func digit(_ value: UInt32) -> UInt8 {
    value < 26 ? 0x61 + UInt8(value) : 0x30 + UInt8(value - 26)
  }

  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch ScalarRole(scalar) {
    case .visible, .mark, .joiner: false
    case .space, .unwanted: true
    }
  }
}

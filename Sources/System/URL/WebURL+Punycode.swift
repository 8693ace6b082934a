/// International host names in ASCII (RFC 3492), since libcurl depends on the locale for others.
enum Punycode {
  /// Of a name and of a label (RFC 1035 §2.3.4); in ASCII none is shorter than before.
  private static let (maximumNameLength, maximumLabelLength) = (253, 63)

  /// The host with its labels in lower case and, where they are not ASCII, encoded; nil if one
  /// cannot be a label, or all is too long for a name.
  static func ascii(host: some StringProtocol) -> String? {
    guard host.utf8.count <= maximumNameLength * 4 else { return nil }
    let points = host.lowercased().unicodeScalars.map(\.value)
    guard points.count <= maximumNameLength else { return nil }
    var labels: [String] = []
    for label in points.split(omittingEmptySubsequences: false, whereSeparator: isDot) {
      guard let encoded = encode(label) else { return nil }
      labels.append(encoded)
    }
    return labels.joined(separator: ".")
  }

  /// Whether it separates labels (RFC 3490 §3.1).
  private static func isDot(_ point: UInt32) -> Bool {
    point == 0x2E || point == 0x3002 || point == 0xFF0E || point == 0xFF61
  }

  private static let base: UInt32 = 36

  /// Encodes a label that is not ASCII (RFC 3492 §6.3).
  ///
  /// It has at most 63 characters, so that nothing here overflows.
  private static func encode(_ points: ArraySlice<UInt32>) -> String? {
    let letters = points.filter { $0 < 0x80 }.map { UInt8($0) }
    if letters.count == points.count { return String(decoding: letters, as: UTF8.self) }
    guard points.count <= maximumLabelLength, !points.contains(where: isInvisible) else {
      return nil
    }
    var output = Array("xn--".utf8) + letters
    var handled = UInt32(letters.count)
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

  private static func isInvisible(_ point: UInt32) -> Bool {
    switch Unicode.Scalar(point).map(ScalarRole.init) {
    case .visible, .mark, .joiner: false
    case .space, .unwanted, nil: true
    }
  }
}

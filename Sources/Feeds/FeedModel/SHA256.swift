internal import CSHA256

/// SHA-256 (FIPS 180-4): ids are cut from it, so that no feed can forge the id of another's story.
///
/// PERF: it digests messages of up to a kilobyte without memory from the heap; each story of a
/// first refresh gets its id so.
package enum SHA256 {
  /// Returns the first 64 bits of the digest of some texts in UTF-8, with a zero byte between them.
  package static func prefix(joining texts: [String]) -> UInt64 {
    let count = texts.reduce(texts.count - 1) { $0 + $1.utf8.count }
    // Behind the message at least a byte of padding and its length in bits (§5.1.1).
    let size = (count + 8) / 64 * 64 + 64
    return withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { message in
      message.initializeMemory(as: UInt8.self, repeating: 0)
      fill(message, with: texts)
      message[count] = 0x80
      let bits = (UInt64(count) * 8).bigEndian
      message.storeBytes(of: bits, toByteOffset: size - 8, as: UInt64.self)
      return prefix(ofBlocks: UnsafeRawBufferPointer(message))
    }
  }

  private static func fill(_ message: UnsafeMutableRawBufferPointer, with texts: [String]) {
    var end = 0
    for var text in texts {
      text.withUTF8 { utf8 in
        UnsafeMutableRawBufferPointer(rebasing: message[end...]).copyMemory(from: .init(utf8))
      }
      end += text.utf8.count + 1
    }
  }

  private static func prefix(ofBlocks message: UnsafeRawBufferPointer) -> UInt64 {
    var state: SIMD8<UInt32> = [
      0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB,
      0x5BE0_CD19,
    ]
    if !takeByInstructions(message, into: &state) { take(message, into: &state) }
    return UInt64(state[0]) << 32 | UInt64(state[1])
  }

  /// Takes whole blocks into the state; false on a processor without instructions for that.
  static func takeByInstructions(
    _ message: UnsafeRawBufferPointer,
    into state: inout SIMD8<UInt32>,
  ) -> Bool {
    withUnsafeMutablePointer(to: &state) { state in
      state.withMemoryRebound(to: UInt32.self, capacity: 8) { words in
        message.baseAddress.map { csha256_take(words, $0, message.count / 64, constants) } ?? true
      }
    }
  }

  static func take(_ message: UnsafeRawBufferPointer, into state: inout SIMD8<UInt32>) {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
      for start in stride(from: 0, to: message.count, by: 64) {
        fill(schedule, from: message, at: start)
        compress(schedule, into: &state)
      }
    }
  }

  private static func fill(
    _ schedule: UnsafeMutableBufferPointer<UInt32>,
    from message: UnsafeRawBufferPointer,
    at start: Int,
  ) {
    for index in 0..<16 {
      schedule[index] = UInt32(
        bigEndian: message.loadUnaligned(fromByteOffset: start + index * 4, as: UInt32.self)
      )
    }
    for index in 16..<64 {
      let (early, late) = (schedule[index &- 15], schedule[index &- 2])
      let sigma0 = rotated(early, 7) ^ rotated(early, 18) ^ (early >> 3)
      let sigma1 = rotated(late, 17) ^ rotated(late, 19) ^ (late >> 10)
      schedule[index] = schedule[index &- 16] &+ sigma0 &+ schedule[index &- 7] &+ sigma1
    }
  }

  /// Takes one block into the state (§6.2.2, steps 2 to 4).
  ///
  /// Eight rounds at a time: after these each of the eight words is in its variable again, and none
  /// is moved.
  private static func compress(
    _ schedule: UnsafeMutableBufferPointer<UInt32>,
    into state: inout SIMD8<UInt32>,
  ) {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    let constants = Self.constants
    for index in stride(from: 0, to: 64, by: 8) {
      round(a, b, c, &d, e, f, g, &h, constants[index] &+ schedule[index])
      round(h, a, b, &c, d, e, f, &g, constants[index &+ 1] &+ schedule[index &+ 1])
      round(g, h, a, &b, c, d, e, &f, constants[index &+ 2] &+ schedule[index &+ 2])
      round(f, g, h, &a, b, c, d, &e, constants[index &+ 3] &+ schedule[index &+ 3])
      round(e, f, g, &h, a, b, c, &d, constants[index &+ 4] &+ schedule[index &+ 4])
      round(d, e, f, &g, h, a, b, &c, constants[index &+ 5] &+ schedule[index &+ 5])
      round(c, d, e, &f, g, h, a, &b, constants[index &+ 6] &+ schedule[index &+ 6])
      round(b, c, d, &e, f, g, h, &a, constants[index &+ 7] &+ schedule[index &+ 7])
    }
    state &+= SIMD8(a, b, c, d, e, f, g, h)
  }

  /// §4.2.2: the first 32 bits of the fractional parts of the cube roots of the first 64 primes.
  private static let constants: [UInt32] = [
    0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5, 0x3956_C25B, 0x59F1_11F1, 0x923F_82A4,
    0xAB1C_5ED5, 0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3, 0x72BE_5D74, 0x80DE_B1FE,
    0x9BDC_06A7, 0xC19B_F174, 0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC, 0x2DE9_2C6F,
    0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA, 0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7,
    0xC6E0_0BF3, 0xD5A7_9147, 0x06CA_6351, 0x1429_2967, 0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC,
    0x5338_0D13, 0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85, 0xA2BF_E8A1, 0xA81A_664B,
    0xC24B_8B70, 0xC76C_51A3, 0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070, 0x19A4_C116,
    0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5, 0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F, 0x682E_6FF3,
    0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208, 0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7,
    0xC671_78F2,
  ]

  @inline(__always)
  private static func round(
    _ a: UInt32,
    _ b: UInt32,
    _ c: UInt32,
    _ d: inout UInt32,
    _ e: UInt32,
    _ f: UInt32,
    _ g: UInt32,
    _ h: inout UInt32,
    _ word: UInt32,
  ) {
    let sum1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
    let choice = g ^ (e & (f ^ g))
    let first = h &+ sum1 &+ choice &+ word
    let sum0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
    let majority = (a & b) | (c & (a | b))
    d = d &+ first
    h = first &+ sum0 &+ majority
  }

  @inline(__always)
  private static func rotated(_ word: UInt32, _ bits: UInt32) -> UInt32 {
    word &>> bits | word &<< (32 &- bits)
  }
}

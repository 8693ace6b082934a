/// The handler's codes of the names seen, found by address.
///
/// libxml2 keeps each name once in its dictionary for as long as the parser lives, so that two
/// pointers name an element: no text is compared, and no string made, per event.
struct XMLCodeCache: ~Copyable {
  private struct Slot {
    var local: UnsafePointer<UInt8>?
    var scope: UnsafePointer<UInt8>?
    var code: UInt16
  }

  private static let size = 1024
  private let slots: UnsafeMutablePointer<Slot>

  init() {
    slots = .allocate(capacity: Self.size)
    slots.initialize(repeating: Slot(local: nil, scope: nil, code: 0), count: Self.size)
  }

  deinit {
    slots.deallocate()
  }

  /// The code of a name whose namespace (or prefix, of an undeclared one) is `scope`.
  func code(_ local: UnsafePointer<UInt8>, _ scope: UnsafePointer<UInt8>?) -> UInt16? {
    let slot = slots[index(local, scope)]
    return slot.local == local && slot.scope == scope ? slot.code : nil
  }

  /// A later name takes the place of an earlier one that falls on the same slot.
  mutating func insert(
    _ code: UInt16,
    _ local: UnsafePointer<UInt8>,
    _ scope: UnsafePointer<UInt8>?,
  ) {
    slots[index(local, scope)] = Slot(local: local, scope: scope, code: code)
  }

  private func index(_ local: UnsafePointer<UInt8>, _ scope: UnsafePointer<UInt8>?) -> Int {
    let mixed =
      UInt(bitPattern: local) &* 0x9E37_79B9_7F4A_7C15
      ^ UInt(bitPattern: scope) &* 0xC2B2_AE3D_27D4_EB4F
    return Int(truncatingIfNeeded: mixed >> 40) & (Self.size - 1)
  }
}

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A feed that was not asked because its host had asked to be left in peace.
package struct PostponedFeed: Hashable, Sendable {
  /// The subscription's URL.
  package var url: String
  /// What to call it.
  package var title: String
  /// When the host may be asked again.
  package var until: Date
}

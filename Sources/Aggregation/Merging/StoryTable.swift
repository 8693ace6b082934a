package import FeedModel
package import FeedStorage

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The stored stories, newest first, as a merge looks at them: one property of many stories is
/// cheap, a whole story is not.
package protocol StoryTable {
  var count: Int { get }
  func item(at index: Int) throws(StorageError) -> StoredItem
  func id(at index: Int) throws(StorageError) -> String
  func title(at index: Int) throws(StorageError) -> String
  func guid(at index: Int) throws(StorageError) -> String?
  func link(at index: Int) throws(StorageError) -> String
  func date(at index: Int) throws(StorageError) -> Date?
  func stored(at index: Int) throws(StorageError) -> Date?
  func feeds(at index: Int) throws(StorageError) -> [String]
  func isRead(at index: Int) throws(StorageError) -> Bool
  func isStarred(at index: Int) throws(StorageError) -> Bool
}

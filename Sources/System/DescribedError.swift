/// An error that is only a message for people.
///
/// `description` is lower case and has no full stop: what, where, and the limit.
package protocol DescribedError: Error, CustomStringConvertible {
  init(_ description: String)
}

extension DescribedError {
  package static func converting<Result>(_ body: () throws -> Result) throws(Self) -> Result {
    do {
      return try body()
    } catch let error as Self {
      throw error
    } catch {
      throw Self("\(error)")
    }
  }
}

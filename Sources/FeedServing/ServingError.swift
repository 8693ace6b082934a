internal import System

/// Why nothing can be served, or one thing cannot.
package struct ServingError: DescribedError, Hashable {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }

  init(_ fault: LibraryFault) {
    self.init("\(fault); apt-get install \(fault.library.package), or the like")
  }
}

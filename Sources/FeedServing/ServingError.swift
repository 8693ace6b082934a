internal import System

package struct ServingError: DescribedError, Hashable {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }

  init(_ fault: LibraryFault) {
    self.init("\(fault); apt-get install \(fault.library.package), or the like")
  }
}

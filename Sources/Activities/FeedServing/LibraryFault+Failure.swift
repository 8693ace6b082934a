internal import CommandLine
internal import System

extension LibraryFault {
  var failure: Failure {
    Failure("\(self); apt-get install \(library.package), or the like")
  }
}

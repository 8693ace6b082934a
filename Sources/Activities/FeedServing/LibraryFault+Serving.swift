internal import CCrypt
internal import CMicroHTTPD
package import System

extension LibraryFault {
  package static var microhttpd: LibraryFault? {
    LibraryFault(.microhttpd, loading: cmicrohttpd_load())
  }
  package static var crypt: LibraryFault? { LibraryFault(.crypt, loading: ccrypt_load()) }
}

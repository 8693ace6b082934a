// `Date` and the C library, for all files of the module.
#if canImport(FoundationEssentials)
@_exported public import FoundationEssentials
@_exported public import Glibc
#else
@_exported public import Darwin
@_exported public import Foundation
#endif

// The C library and `Date`, for all targets above: macOS has them by other names.

#if canImport(FoundationEssentials)
@_exported public import FoundationEssentials
#else
@_exported public import Foundation
#endif

#if canImport(Glibc)
@_exported public import Glibc
#else
@_exported public import Darwin
#endif

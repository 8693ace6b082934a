// `Date` and the C library are in nearly every file of this module.
@_exported public import System

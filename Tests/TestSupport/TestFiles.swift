/// Sets the time of a file's last change, in seconds since 1970.
package func setModificationTime(of path: String, seconds: Int) throws {
  let times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
  guard utimensat(AT_FDCWD, path, times, 0) == 0 else { throw POSIXFailure("utimensat", path) }
}

package func makePipe(_ path: String) throws {
  guard mkfifo(path, 0o600) == 0 else { throw POSIXFailure("mkfifo", path) }
}

package func makeFolder(_ path: String) throws {
  guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw POSIXFailure("mkdir", path) }
}

package func removeFile(_ path: String) throws {
  guard unlink(path) == 0 else { throw POSIXFailure("unlink", path) }
}

package func moveFile(_ path: String, to other: String) throws {
  guard rename(path, other) == 0 else { throw POSIXFailure("rename", path) }
}

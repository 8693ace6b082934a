/// Runs a body, and counts the processor time of this thread alone, however busy the machine is.
package func threadWork<Result>(
  _ body: () throws -> Result
) rethrows -> (result: Result, nanoseconds: Int) {
  let start = threadNanoseconds()
  let result = try body()
  return (result, threadNanoseconds() - start)
}

private func threadNanoseconds() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
}

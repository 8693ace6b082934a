extension Array {
  /// Returns the first element of each key, in their order.
  package func distinct<Key: Hashable>(by key: (Element) -> Key) -> [Element] {
    var seen: Set<Key> = []
    return filter { seen.insert(key($0)).inserted }
  }

  /// Returns the first index where `isBehind` holds; it must hold for all that follow.
  package func firstIndexInOrder(where isBehind: (Element) -> Bool) -> Int {
    firstIndexInOrder(0..<count, where: isBehind)
  }

  private func firstIndexInOrder(_ range: Range<Int>, where isBehind: (Element) -> Bool) -> Int {
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Returns the first index where `isBehind` holds, for elements in the order of hashes.
  ///
  /// It holds from the first hash on that is at least `hash`. PERF: hashes are spread evenly, so
  /// that the index is near the one that the value suggests.
  package func firstIndexInOrder(of hash: UInt64, where isBehind: (Element) -> Bool) -> Int {
    let place = Int(hash.multipliedFullWidth(by: UInt64(count)).high)
    var (low, high, step) = (place, place, 32)
    while low > 0, isBehind(self[low - 1]) {
      (low, high) = (Swift.max(low - step, 0), low - 1)
      step *= 2
    }
    while high < count, !isBehind(self[high]) {
      (low, high) = (high + 1, Swift.min(high + step, count))
      step *= 2
    }
    return firstIndexInOrder(low..<high, where: isBehind)
  }
}

/// Hashes that stories are known by, packed: others may name a million of them.
package struct StoryHashes: Hashable, Sendable {
  /// Each once.
  package let sorted: [UInt64]

  package init(_ hashes: some Sequence<UInt64>) {
    var all = Array(hashes)
    if !zip(all, all.dropFirst()).allSatisfy({ $0 < $1 }) {
      all.sort()
      var end = 0
      for hash in all where end == 0 || all[end - 1] != hash {
        all[end] = hash
        end += 1
      }
      all.removeLast(all.count - end)
    }
    sorted = all
  }

  package var count: Int { sorted.count }

  package func contains(_ hash: UInt64) -> Bool {
    let index = sorted.firstIndexInOrder { $0 >= hash }
    return index < sorted.count && sorted[index] == hash
  }
}

extension Array {
  /// The index of the first element for which `isBehind` holds, as it does for all that follow it.
  package func firstIndexInOrder(where isBehind: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

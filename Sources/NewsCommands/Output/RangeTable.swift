/// Ascending ranges in a flat list, with what else belongs to each behind its first and its last.
enum RangeTable {
  /// Where in `list` the range begins that holds `value`; nil when none does.
  ///
  /// The list has rows of `width` numbers: the first and the last of a range, and the rest.
  @inline(__always)
  static func row<Number: Comparable>(of value: Number, in list: [Number], width: Int) -> Int? {
    var low = 0
    var high = list.count / width
    while low < high {
      let middle = (low + high) / 2
      if value > list[middle * width + 1] {
        low = middle + 1
      } else if value < list[middle * width] {
        high = middle
      } else {
        return middle * width
      }
    }
    return nil
  }
}

/// The English names of months and weekdays, January and Sunday first.
package enum CalendarName {
  package static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]
  package static let weekdays = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]
  private static let shortMonths = months.map { String($0.prefix(3)) }
  private static let shortWeekdays = weekdays.map { String($0.prefix(3)) }
  private static let packedMonths = months.map { Array($0.utf8) }.map { pack($0[0], $0[1], $0[2]) }

  package static func shortMonth(_ number: Int) -> String {
    shortMonths[min(max(number, 1), 12) - 1]
  }

  /// Returns 1 to 12 for three letters in any case.
  package static func month(short name: ArraySlice<UInt8>) -> Int? {
    let start = name.startIndex
    return name.count == 3 ? month(name[start], name[start + 1], name[start + 2]) : nil
  }

  package static func month(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> Int? {
    packedMonths.firstIndex(of: pack(first, second, third)).map { $0 + 1 }
  }

  package static func shortWeekday(_ number: Int) -> String {
    shortWeekdays[number]
  }

  private static func pack(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> UInt32 {
    UInt32(first | 0x20) << 16 | UInt32(second | 0x20) << 8 | UInt32(third | 0x20)
  }
}

package import FeedModel
import System

package struct RelativeDate {
  /// Seconds since 1970.
  package let now: Int
  let clock: WallClock
  private var showsThisYear = false

  package init(clock: WallClock) {
    self.clock = clock
    now = Int(clamping: clock.now())
  }

  /// Returns the form for one column of dates: all days in it have their year, or none.
  package func agreeing(on instants: some Sequence<Int>) -> RelativeDate {
    var dates = self
    dates.showsThisYear = instants.contains { !isThisYear($0) && !isAgo($0) }
    return dates
  }

  /// Returns `now`, `5 min ago`, `3 h ago`, `yesterday`, `4 days ago`, `12 Mar` or `12 Mar 2024`.
  ///
  /// It has at most eleven columns.
  package func text(_ instant: Int) -> String {
    let age = now - instant
    switch age {
    case ..<(-60): return day(instant)
    case ..<60: return "now"
    case ..<3600: return "\(age / 60) min ago"
    default: break
    }
    let days = daysAgo(instant)
    if age < 86_400, days == 0 || age < 6 * 3600 { return "\(age / 3600) h ago" }
    if days <= 1 { return "yesterday" }
    return days < 7 ? "\(days) days ago" : day(instant)
  }

  package func isAgo(_ instant: Int) -> Bool {
    text(instant) != day(instant)
  }

  /// Returns `now`, `in 5 min`, `in 3 h` or `in 2 days`; the day from a week on.
  package func dueText(_ instant: Int) -> String {
    let rest = instant - now
    switch rest {
    case ..<60: return "now"
    case ..<3600: return "in \(rest / 60) min"
    case ..<86_400: return "in \(rest / 3600) h"
    case ..<(7 * 86_400): return "in \(Count.of(rest / 86_400, "day"))"
    default: return day(instant)
    }
  }

  /// Returns `follow it: refused (server answered 400); sent again in 1 day`.
  package func text(_ refusal: ServerRefusal, of change: String) -> String {
    let due = dueText(refusal.next.wholeSeconds)
    let again = due == "now" ? "with the next sync" : due
    return "\(change): refused (\(SafeText.line(refusal.reason))); sent again \(again)"
  }

  /// Returns `10:42`, or with the day, when it is not today, `2 Nov 10:42`.
  package func clockText(_ instant: Int) -> String {
    let time = clock.civilTime(instant)
    let isToday = time.startOfDay == clock.civilTime(now).startOfDay
    return isToday ? time.timeText : "\(day(instant)) \(time.timeText)"
  }

  package func exactText(_ instant: Int) -> String {
    let time = clock.civilTime(instant)
    return "\(time.dateText) \(time.timeText)"
  }

  package func day(_ instant: Int) -> String {
    let time = clock.civilTime(instant)
    let month = CalendarName.shortMonth(time.month)
    let isYearShown = showsThisYear || !isThisYear(instant)
    return "\(time.day) \(month)" + (isYearShown ? " \(time.year)" : "")
  }

  private func isThisYear(_ instant: Int) -> Bool {
    clock.civilTime(instant).year == clock.civilTime(now).year
  }

  /// Returns the local midnights between then and now.
  private func daysAgo(_ instant: Int) -> Int {
    let then = clock.seconds(clock.civilTime(instant).startOfDay) ?? instant
    let today = clock.seconds(clock.civilTime(now).startOfDay) ?? now
    // Half a day more, since a day of the change to summer time has 23 hours.
    return (today - then + 43_200) / 86_400
  }
}

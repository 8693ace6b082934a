import CommandLine
package import FeedLibrary
package import FeedModel
package import FeedStorage

extension CommandContext {
  package var keepsNoHistory: Bool {
    environment.isSet("NEWS_NO_HISTORY") || arguments.has("no-history")
  }

  /// Notes a look at the stories now; without a terminal nobody looks.
  package func noteVisit() {
    guard !keepsNoHistory, isAtTerminal else { return }
    // A look that cannot be noted is no fault of the command.
    _ = try? store().noteVisit(clock.hourOfWeek(clock.date.wholeSeconds), at: clock.date)
  }

  private var isAtTerminal: Bool {
    environment.terminal.isInputTerminal || environment.terminal.isOutputTerminal
  }

  /// Notes that unread stories of these feeds were opened, in the table view or at a terminal.
  package func noteOpened(_ feeds: [String]) {
    guard !keepsNoHistory, isAtTerminal || environment.isInTableView else { return }
    // What cannot be noted is no fault of the command.
    _ = try? store().noteOpened(feeds, clock.hourOfWeek(clock.date.wholeSeconds), at: clock.date)
  }

  /// Returns when the user will look; no hour is quiet where a rule tells them of news.
  package func readingForecast() -> ReadingForecast? {
    guard !keepsNoHistory, let store = try? store(), let habits = try? store.habits() else {
      return nil
    }
    let forecast = habits.forecast(at: clock.date, hourOfWeek: clock.hourOfWeek)
    return store.notifyingRules.isEmpty ? forecast : forecast.withoutQuiet
  }

  package func refreshMoment(_ library: Library) -> RefreshMoment {
    RefreshMoment(clock.date, library.retryTimes, forecast: readingForecast())
  }
}

extension WallClock {
  /// Returns 0 for the hour from midnight on a Sunday.
  package func hourOfWeek(_ instant: Int) -> Int {
    let time = civilTime(instant)
    let day = CivilDate.daysSinceEpoch(year: time.year, month: time.month, day: time.day)
    return CivilDate.weekday(ofDay: day) * 24 + time.hour
  }
}

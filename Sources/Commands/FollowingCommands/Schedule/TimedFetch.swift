import CommandLine
import CommandSupport
import Searching

struct TimedFetch: Hashable {
  let words: [String]
  let times: TimerTimes

  /// Variables without which the fetch would not come through, or not by the same name.
  private static let carried = [
    "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY",
    "CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR", "NEWS_USER_AGENT", "NEWS_NO_TEXTS",
  ]

  init(_ context: CommandContext, every text: String) throws {
    guard let program = context.environment.executable() else {
      throw Failure("the file of this program is gone: install news, and schedule it then")
    }
    let home = try context.home()
    // The timers of machines that share one home are to be apart all the same.
    let host = context.environment.runProgram(["uname", "-n"], "")?.text ?? ""
    guard let times = TimerTimes(every: text, for: host + home) else {
      throw context.usage(
        "--every: \(Spelling.quoted(text)) is not one of 5, 6, 10, 12, 15, 20 and 30min, "
          + "1, 2, 3, 4, 6, 8 and 12h, and 1d"
      )
    }
    self.times = times
    let variables = Self.variables(context) + Self.defaults(context.environment)
    words =
      (variables.isEmpty ? [] : ["/usr/bin/env"] + variables)
      + [program, "fetch", "--due", "--quiet", "--home", home] + (try Announcement(context)).words
      + ["no-texts", MeteredNetwork.option.name].filter(context.arguments.has).map { "--\($0)" }
    try TimerFile.check(words)
  }

  /// Returns the variable that names the defaults, where the timer would not find them by itself.
  private static func defaults(_ environment: Environment) -> [String] {
    let isUsual =
      environment.namedDefaults == nil && environment.variable("XDG_CONFIG_HOME") == nil
    guard !isUsual, let path = environment.defaultsPath, FileStatus(at: path) != nil else {
      return []
    }
    return ["NEWS_DEFAULTS=\(path)"]
  }

  private static func variables(_ context: CommandContext) -> [String] {
    carried.compactMap { name in
      guard let value = context.environment.variable(name), !value.isEmpty else { return nil }
      guard WebURL.redacted(word: value) == value, !value.contains("@") else {
        context.complain("\(name) has a password: the timer's fetches do without the variable")
        return nil
      }
      return "\(name)=\(value)"
    }
  }
}

/// The minutes at which a timer runs, in all hours or in some.
struct TimerTimes: Hashable {
  let minutes: [Int]
  /// The hours; nil for all.
  let hours: [Int]?

  /// Takes times so far apart, at minutes that are `seed`'s own, and never at the full hour.
  ///
  /// nil for what does not divide an hour or a day.
  init?(every text: String, for seed: String) {
    guard let duration = TimeExpression.duration(text) else { return nil }
    let minutes = Int(duration.components.seconds) / 60
    let first = 1 + Int((FNV1a.hash(seed) >> 32) % UInt64(max(min(minutes, 30) - 1, 1)))
    switch minutes {
    case 5...60 where 60 % minutes == 0:
      self.minutes = Array(stride(from: first, to: 60, by: minutes))
      hours = nil
    case 120...720 where 1440 % minutes == 0 && minutes % 60 == 0:
      self.minutes = [first]
      hours = Array(stride(from: 0, to: 24, by: minutes / 60))
    case 1440:
      // Before most people get up.
      (self.minutes, hours) = ([first], [5])
    default: return nil
    }
  }

  /// Reads the first two fields of a line of crontab(5); nil where they are no lists of numbers.
  init?(cron text: some StringProtocol) {
    let fields = text.split(separator: " ")
    guard fields.count >= 2, let minutes = Self.numbers(fields[0], below: 60) else { return nil }
    self.minutes = minutes
    if fields[1] == "*" {
      hours = nil
    } else {
      guard let hours = Self.numbers(fields[1], below: 24) else { return nil }
      self.hours = hours
    }
  }

  private static func numbers(_ field: some StringProtocol, below limit: Int) -> [Int]? {
    let numbers = field.split(separator: ",").map { Int($0) }
    let known = numbers.compactMap(\.self).filter { (0..<limit).contains($0) }
    return known.count == numbers.count && !known.isEmpty ? known.sorted() : nil
  }

  /// The fields of crontab(5), such as `7,22,37,52 *`.
  var cron: String {
    let list = { (numbers: [Int]) in numbers.map(String.init).joined(separator: ",") }
    return "\(list(minutes)) \(hours.map(list) ?? "*")"
  }

  /// Minutes from one run to the next.
  var interval: Int {
    let aDay = minutes.count * (hours?.count ?? 24)
    return 1440 / aDay
  }

  var text: String { "every \(TimeExpression.text(.seconds(interval * 60)))" }

  /// Returns the first run after an instant; both in seconds since 1970.
  func next(after instant: Int, _ clock: WallClock) -> Int? {
    let first = instant - (instant % 60) + 60
    // Two days, over midnights and changes of the clock.
    return stride(from: first, to: first + 2 * 86_400, by: 60).first { candidate in
      let time = clock.civilTime(candidate)
      return minutes.contains(time.minute) && hours?.contains(time.hour) ?? true
    }
  }
}

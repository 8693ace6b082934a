/// The settings of newsboat 2.10 to 2.39 and podboat that become no line, with what is here instead.
extension NewsboatSettings {
  static let reasons = table([
    ("browser", "set BROWSER to it in your shell, as in export BROWSER=w3m"),
    ("player", "set NEWS_PLAYER to it in your shell"),
    ("pager", "set PAGER to it in your shell"),
    ("proxy use-proxy", "set https_proxy to it in your shell, which all programs go by"),
    ("proxy-type", "https_proxy in your shell names it, as in socks5h://localhost:9050"),
    ("proxy-auth", "https_proxy in your shell has it, as in http://user:password@localhost:3128"),
    ("proxy-auth-method http-auth-method", "the method is the safest one that the server offers"),
    ("auto-reload suppress-first-reload", "`news schedule install` fetches in the background"),
    ("refresh-on-startup", "`news schedule install` fetches before you look"),
    ("reload-time", "`news schedule install` fetches when feeds are due"),
    ("reload-threads", "all feeds are fetched at once"),
    ("reload-only-visible-feeds", "R in browse refreshes the feed or tag alone"),
    ("always-download", "`news refresh --force FEED` fetches it whole"),
    ("download-retries", "a feed that fails is asked again when it is due"),
    (
      "download-timeout", "15 seconds without a byte end a transfer; `fetch --deadline` ends a run",
    ),
    ("download-full-page", "`news feeds set FEED --full` fetches the articles of a feed"),
    ("user-agent", "`news feeds set FEED --user-agent NAME` sends it, for all feeds with --all"),
    ("cookie-cache", "no cookies are kept; `news feeds set FEED --header @FILE` sends one"),
    ("ssl-verifyhost ssl-verifypeer", "certificates are checked; `news feeds set FEED --ca FILE`"),
    (
      "notify-program notify-format",
      "`news schedule install --notify` shows notices, --on-new runs a program",
    ),
    (
      "notify-always notify-beep notify-screen notify-xterm",
      "`news schedule install --notify` shows notices of what is new",
    ),
    ("always-display-description", "the whole text is always shown"),
    ("display-article-progress", "the title line always says how far you have read"),
    ("html-renderer", "texts are laid out here; | in browse gives one to a program"),
    (
      "reset-unread-on-update",
      "`news feeds set FEED --unread-when-edited` has it so, for all feeds with --all",
    ),
    (
      "highlight highlight-article highlight-feed search-highlight-colors",
      "words get no colour; a rule can star or tag their stories (`news help rules`)",
    ),
    ("color", "colours are not set by part of the screen here"),
    ("datetime-format", "`--dates iso` prints exact dates, {date:%F} in --format any form"),
    ("show-read-feeds show-read-articles", "l in browse hides what is read, and keeps it so"),
    ("feed-sort-order", "> in browse sorts the feeds, and keeps them so"),
    ("goto-first-unread", "n in browse goes to the first unread story"),
    ("goto-next-feed", "n in browse always goes on to the next feed with unread stories"),
    ("mark-as-read-on-hover", "a story is read once it is opened"),
    (
      "openbrowser-and-mark-jumps-to-next-unread",
      "a line o open-link ; next of your keys does it (`news help keys`)",
    ),
    (
      "toggleitemread-jumps-to-next toggleitemread-jumps-to-next-unread",
      "a line u toggle-read ; down of your keys does it (`news help keys`)",
    ),
    (
      "confirm-delete-all-articles confirm-mark-all-feeds-read confirm-mark-feed-read confirm-exit",
      "few keys ask, as z in browse takes a change back",
    ),
    (
      "scrolloff show-keymap-hint show-title-bar swap-title-and-hints wrap-scroll",
      "browse is laid out in one way",
    ),
    ("history-limit", "the line typed last alone is kept, until browse ends"),
    ("run-on-startup", "browse begins where you left it"),
    ("max-browser-tabs", "one link is opened at a time"),
    ("external-url-viewer", "L in browse shows the links"),
    (
      "bookmark-cmd bookmark-autopilot bookmark-interactive",
      "a star, or a key with a program of yours (`news help keys`)",
    ),
    ("save-path", "texts are saved where episodes are: `download --to DIR` as a default"),
    ("restrict-filename", "names of files are such as every system takes"),
    ("download-filename-format", "`download --name TEMPLATE` as a default names episodes"),
    ("max-downloads max-download-speed", "episodes are downloaded at once, two from a server"),
    ("delete-played-files", "`news download --clean` deletes episodes of read stories"),
    ("podcast-auto-enqueue", "`news feeds set FEED --download K` keeps the newest downloaded"),
    ("podlist-format", "there is no list of downloads; episodes are stories"),
    (
      "cleanup-on-quit", "stories of a feed go with it, old ones by themselves (`fetch --keep N`)",
    ),
    ("delete-read-articles-on-quit", "`news delete --all --grep is:read` deletes them"),
    ("keep-articles-days", "`fetch --keep N` keeps a number of stories of each feed"),
    ("ignore-mode", "rules drop stories as they come"),
    ("prepopulate-query-feeds", "saved searches are always up to date"),
    ("error-log", "`news feeds --failing` and `news log` tell what failed"),
    ("cache-file", "NEWS_HOME or --home names the home"),
    ("include", "import that file as well"),
    ("opml-url", "import that list: news import URL"),
    ("urls-source", "`news help sync` tells how to follow a server's feeds"),
    ("text-width", "browse --width takes 20 to 400 columns"),
    ("max-items", "`fetch --keep N` takes a number from 0 up"),
    ("unbind-key", "keys are freed one by one (`news help keys`)"),
  ])

  /// The services of newsboat, of which each has a dozen settings.
  private static let knownServices = [
    "feedhq", "freshrss", "inoreader", "miniflux", "ocnews", "oldreader",
  ]
  private static let unknownServices = ["feedbin", "newsblur", "ttrss"]

  static func table(_ rows: [(names: String, reason: String)]) -> [String: String] {
    Dictionary(
      uniqueKeysWithValues: rows.flatMap { row in
        row.names.split(separator: " ").map { (String($0), row.reason) }
      }
    )
  }

  static func isOfService(_ name: String) -> Bool {
    (knownServices + unknownServices).contains { name.hasPrefix($0 + "-") }
  }

  static func reason(of name: String) -> String {
    if let reason = reasons[name] { return reason }
    guard isOfService(name) else {
      return name.hasSuffix("-format")
        ? "columns and titles are not set here" : "no such setting here"
    }
    return unknownServices.contains { name.hasPrefix($0 + "-") }
      ? "no API of that service is known here: import its OPML" : reasons["urls-source"] ?? ""
  }
}

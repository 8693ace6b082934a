import CommandLine
import CommandSupport
import FeedStorage

extension ManualFacts {
  static let news: ManualFacts = {
    var facts = ManualFacts(json: Welcome.json)
    facts.day = Version.day
    facts.purpose = "follow RSS, Atom and JSON feeds from the command line"
    facts.description = Paragraphs.description
    facts.environment = Paragraphs.environment
    facts.fileNotes = Paragraphs.fileNotes
    facts.files = Paragraphs.files
    facts.statuses = Paragraphs.statuses
    facts.session = Paragraphs.session
    facts.related = "jq(1), curl(1), systemd.timer(5), crontab(5), netrc(5)"
    return facts
  }()
}

private enum Paragraphs {
  static let description = [
    "news follows RSS, Atom and JSON feeds, keeps their stories in a property-list file that any "
      + "program can read, and shows them in the terminal. Without a command it says what to do "
      + "next.",
    "Options may stand before or after operands. A FEED is a feed's URL, its title, or an "
      + "unambiguous part of either; tag:NAME means all feeds with a tag, and of stories those that carry it themselves; search:NAME means the stories that a rule or saved search finds. An N is the number that the last news list or news refresh of this terminal session showed, or else the "
      + "place among all stories, newest first; 3-7 is a range, and a story's id does as well.",
    "Options that you always give can stand in ~/.config/news/defaults, in lines such as list -n 30: they "
      + "are put before those that you type, which win. A line of options alone holds for all commands. "
      + "--no-NAME withdraws one option, and --no-defaults all. A wrong line is named, and left out.",
    "What strangers wrote (feeds, pages, lists, other machines' files, stories' texts) is fetched and read "
      + "by a process of its own. On Linux, Landlock and seccomp keep it from all files of yours, from "
      + "programs and from other processes, and so they keep the program that draws pictures. Commands "
      + "of yours (passwords, --on-new, --on-star, notices, ssh, the browser and the pager) are run by another "
      + "process, which was started before. news doctor says whether that is on.",
    "Data goes to standard output, everything else to standard error. On a terminal, output is laid "
      + "out for people; piped, it is lines with tabs between their fields.",
  ]

  static let environment: [(name: String, meaning: String)] = [
    ("NEWS_HOME", "the folder where everything is kept"),
    (
      "XDG_DATA_HOME",
      "without NEWS_HOME, everything is kept in its folder news; ~/.local/share by default",
    ),
    ("HOME", "where ~/.local/share and ~/.netrc are; on macOS Library/Application Support/news"),
    (
      "XDG_CONFIG_HOME",
      "defaults and keys are in its folder news, and news schedule puts systemd's units into its "
        + "folder systemd/user; ~/.config by default",
    ),
    (
      "XDG_STATE_HOME",
      "the numbers of lists and the place in browse are in its folder news, for a home that was made "
        + "at its usual place; ~/.local/state by default",
    ),
    ("NEWS_DEFAULTS", "the file of defaults in place of ~/.config/news/defaults"),
    ("BROWSER", "programs that open links, separated by colons; %s stands for the link"),
    ("EMAIL", "the address of `news list --mail`, without an =ADDRESS"),
    ("LOGNAME", "your address at this machine is that name @localhost, where EMAIL is not set"),
    ("NEWS_PLAYER", "the program that news play starts, and its options"),
    ("XDG_DOWNLOAD_DIR", "where news download saves, in a folder news"),
    (
      "NEWS_COLORS",
      "colors of your own, as SGR parameters: title=1:faint=2:feed=36:good=32:bad=31:chosen=7",
    ),
    ("NO_COLOR", "when set and not empty, nothing is coloured"),
    ("CLICOLOR", "when 0, nothing is coloured"),
    ("CLICOLOR_FORCE", "when set and not 0, pipes are coloured too"),
    (
      "FORCE_HYPERLINK",
      "when 0, titles are no links; when another value, they are on any terminal",
    ),
    ("COLUMNS", "columns to lay text out in"),
    ("LINES", "rows of the terminal: what is longer goes through a pager"),
    ("NEWS_USER_AGENT", "what servers are told instead of news/VERSION (feed reader)"),
    ("NEWS_NO_IMAGES", "when set and not empty, browse shows no pictures, without --images"),
    ("NEWS_NO_HISTORY", "when set and not empty, as --no-history"),
    ("NEWS_BY_PHONE", "set by `news serve`: what is changed counts as changed by an app"),
    ("NEWS_NO_TEXTS", "when set and not empty, as --no-texts of refresh and fetch"),
    ("NEWS_PAGER", "the program that pages what is longer than the screen; cat for none"),
    ("PAGER", "the same for all programs, where NEWS_PAGER is not set; without either, less"),
    ("MANWIDTH", "the columns of `news man`, as of man(1); at least 40"),
    ("LESS", "options of less; -FRX where it is not set"),
    ("LV", "options of lv; -c where it is not set"),
    ("TERM", "dumb takes colours, links and progress away"),
    (
      "LC_ALL",
      "news stats draws, and news show marks lists, quotations and tables, with Unicode's signs where "
        + "the name of the locale says UTF-8, else in ASCII; "
        + "where it is not set, LC_CTYPE counts, and then LANG",
    ),
    ("TZ", "the time zone in which dates are shown and read"),
    ("DBUS_SESSION_BUS_ADDRESS", "the bus of the desktop, for fetch --notify"),
    (
      "http_proxy",
      "a proxy's URL, as are https_proxy and all_proxy; no_proxy lists hosts to ask directly",
    ),
    ("CURL_CA_BUNDLE", "a file of certificates to trust in place of the system's"),
    ("SSL_CERT_FILE", "the same, where CURL_CA_BUNDLE is not set"),
    ("LD_LIBRARY_PATH", "directories that libraries are loaded from before the usual ones"),
    ("SSL_CERT_DIR", "a directory of certificates to trust, named by their hashes"),
  ]

  static let files =
    StoreFile.all.map { (name: $0.name, meaning: $0.meaning) } + [
      ("~/.config/news/defaults", "options that are put before those that are typed"),
      ("~/.config/news/keys", "keys of your own for `news browse`"),
    ]

  static let fileNotes =
    "All but the last two are in the folder that --home or NEWS_HOME names, by default ~/.local/share/news; "
    + "listings and browse.plist of a home that was made there are in ~/.local/state/news. Only "
    + "their owner can read them. A file is replaced as a whole: whoever reads sees one version or "
    + "the other. XML property lists are read as well. A data file that cannot be read is never "
    + "overwritten. Users and passwords of servers are taken from the URL, from what the feed's "
    + "--password-command prints, or from ~/.netrc: from there over https alone, or for the user whom "
    + "an http URL names, and never its default entry. No password goes to another site that a "
    + "redirect leads to. A server is asked by Basic, or by Digest where it offers that."

  static let statuses: [(name: String, meaning: String)] = [
    ("0", "done; new data or none"),
    ("1", "failed; news doctor: something is wrong"),
    ("3", "fetch --exit-status: nothing new"),
    ("64", "the command line is wrong"),
    ("65", "parse: not a feed; import: not a list of feeds, or one that breaks off"),
    ("129", "its terminal was closed (SIGHUP); what had arrived is stored"),
    ("130", "interrupted; 143 when it was asked to end, 131 by Ctrl-\\"),
  ]

  static let session: [HelpExample] = [
    HelpExample("news subscribe https://example.com/feed.xml", "follow a feed"),
    HelpExample("news refresh", "ask the feeds, and show the new headlines"),
    HelpExample("news list", "the newest stories, numbered"),
    HelpExample("news open 3", "the link of story 3"),
    HelpExample("news list --json | jq -r '.[].link'", "the links of all stories"),
    HelpExample("news schedule install", "fetch in the background from now on"),
  ]
}

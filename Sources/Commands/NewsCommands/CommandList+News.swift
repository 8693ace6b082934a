import CommandLine
import CommandSupport
import FollowingCommands
import ReadingCommands

extension CommandList {
  static let news = CommandList(
    groups: groups,
    hidden: [CompleteCommand.self],
    synonyms: synonyms,
    optionSynonyms: optionSynonyms,
  )

  private static let groups: [Group] = [
    ("reading", "Read", reading),
    ("following", "Follow feeds", following),
    ("background", "Fetch in the background", fetching),
    ("machines", "Use several machines", [sync, ServeCommand.self]),
    (
      "sharing", "Import, export and publish",
      [ImportCommand.self, ExportCommand.self, PublishCommand.self],
    ),
    (
      "inspecting", "Look into things",
      [
        why, DoctorCommand.self, log, StatsCommand.self, ParseCommand.self, HelpCommand.self,
        ManCommand.self, CompletionsCommand.self,
      ],
    ),
  ]

  private static let synonyms: KeyValuePairs = [
    "add": "subscribe", "follow": "subscribe", "remove": "unsubscribe",
    "rm": "unsubscribe", "unfollow": "unsubscribe", "update": "refresh",
    "reload": "refresh", "pull": "refresh", "ls": "list", "view": "show", "cat": "show",
    "bookmark": "star", "annotate": "note", "comment": "note", "history": "log",
    "statistics": "stats", "opml": "export",
    "manual": "man",
    "search": "list --grep TEXT", "find": "list --grep TEXT", "grep": "list --grep TEXT",
    "rename": "feeds set FEED --title TITLE",
    "filter": "rules", "filters": "rules", "mute": "rules", "searches": "rules",
    "mark": "read N", "next": "list --unread",
    "server": "serve", "phone": "serve",
    "timer": "schedule install", "cron": "schedule install", "daemon": "schedule install",
    "status": "feeds", "edit": "feeds set FEED", "settings": "feeds set FEED",
    "config": "help defaults", "defaults": "help defaults", "keys": "help keys",
    "check": "doctor", "completion": "completions", "version": "--version",
  ]

  private static let optionSynonyms: KeyValuePairs = [
    "export --csv": "`news list --csv`", "sync --stories": "--server-fetches",
    "clear --read": "`news delete --all --grep is:read`",
    "feeds --arrives-read": "`news rules add NAME --feed FEED --then read`",
    "feeds --no-arrives-read": "`news rules remove NAME`",
    "sync --restore": "`news undo` on the other side",
    "--downloaded": "--grep is:downloaded", "--enclosures": "--grep has:enclosure",
    "--not-downloaded": "--grep 'has:enclosure -is:downloaded'", "--new": "--grep is:new",
    "--tag": "--feed tag:NAME", "--limit": "-n 10", " -n": "`news list -n 5`",
    "--max": "-n 10",
    "--number": "-n 10", "--head": "-n 10", "-l": "-n 10",
    "--order": "--grep sort:title",
    "--oldest": "--reverse", "--oldest-first": "--reverse", "--asc": "--reverse",
    "--search": "--grep TEXT", "--text": "--grep TEXT", "--query": "--grep TEXT",
    "--filter": "--grep TEXT",
    "--title": "--grep title:WORD", "--author": "--grep author:NAME", "--read": "--grep is:read",
    "--today": "--since today", "--after": "--since WHEN", "--from": "--since WHEN",
    "--before": "--until WHEN", "--to": "--until WHEN",
    "--source": "--feed FEED", "--category": "--grep category:NAME", "--site": "--grep site:HOST",
    "--template": "--format TEMPLATE",
    "--watch": "--follow", "--tail": "--follow", "--iso": "--dates iso",
  ]
}

extension ProgramDeclaration {
  static let news = CommandList.news.program
}

import TestSupport
import Testing

@testable import CommandLine
@testable import CommandSupport
@testable import NewsCommands

@Suite("One declaration a command: help, manual, completions and the reader of words agree")
struct DeclarationTests {
  @Test("a synopsis mentions options that are there, and places that completion knows")
  func synopses() {
    for command in CommandList.news.all {
      let options = command.options + CommandOption.global
      let synopsis = Synopsis(command.synopsis, options: options)
      let known = Set(options.flatMap { [$0.spelling, $0.letter.map { "-\($0)" } ?? ""] })
      let words = command.synopsis.split { " |[]…".contains($0) }.map(String.init)
      let mentioned = words.filter { $0.hasPrefix("-") && $0 != "-" }
      #expect(known.isSuperset(of: mentioned), "\(command.name)")
      for word in synopsis.operands.flatMap(\.self) where word != "-" {
        #expect(word.first?.isLowercase == true || word.allSatisfy { $0.isUppercase }, "\(word)")
      }
    }
  }

  @Test("a command refuses operands that its synopsis does not have")
  func operands() throws {
    let news = try CommandRun()
    for command in CommandList.news.all {
      let synopsis = Synopsis(command.synopsis, options: command.options + CommandOption.global)
      guard synopsis.operands.isEmpty else { continue }
      #expect(news(command.name, "x").status == 64, "\(command.name)")
    }
  }

  @Test("every option is in the help, once, in the manual and among the completions")
  func options() throws {
    let news = try CommandRun()
    news.variables["COLUMNS"] = "1000"
    let manual = news("man").output
    for command in CommandList.news.all {
      let help = news("help", command.name).output
      let section = try #require(manual.components(after: ".Ss news \(command.name)\n"))
      let proposed = Set(completions([command.name, "-"]))
      for option in command.options {
        #expect(help.contains(option.spelling), "\(command.name)")
        #expect(help.contains(option.help), "\(command.name)")
        let name = option.name.isEmpty ? "Fl \(option.spelling.dropFirst())" : option.name
        #expect(section.contains(name.replacing("-", with: "\\-")), "\(command.name) \(name)")
        #expect(proposed.contains(option.spelling), "\(command.name)")
      }
      let all = (command.options + CommandOption.global).map(\.spelling)
      #expect(proposed == Set(all) && proposed.count == all.count, "\(command.name)")
    }
  }

  @Test("the page of one command has what the whole page has of it")
  func pages() throws {
    let news = try CommandRun()
    for command in CommandList.news.all {
      let page = news("man", command.name).output
      #expect(page.contains(".Nm news\\-\(command.name)\n"))
      let options = try #require(page.components(after: ".Sh DESCRIPTION\n"))
      for option in command.options where !option.name.isEmpty {
        #expect(options.contains(option.name.replacing("-", with: "\\-")), "\(command.name)")
      }
      #expect(page.contains(".Sh JSON") == (command.json != nil))
      for example in command.examples { #expect(page.contains(Roff.escaped(example.words))) }
    }
    #expect(news("man", "list", "-V").output == news("--version").output)
    #expect(news("-V").output == news("--version").output)
  }

  @Test("the keys of JSON have a page of their own, which the whole page names")
  func json() throws {
    let news = try CommandRun()
    let (whole, keys) = (news("man").output, news("man", "json").output)
    #expect(whole.contains("news\\-json(1)"))
    #expect(!whole.contains(".It Va pubDate\n"))
    for command in CommandList.news.all where command.json != nil {
      #expect(keys.contains(".Ss news \(command.name) \\-\\-json\n"), "\(command.name)")
    }
    #expect(keys.contains(".It Va pubDate\n"))
  }

  @Test("every command is in the help, in the manual and among the completions")
  func commands() throws {
    let news = try CommandRun()
    let names = CommandList.news.all.map { $0.name }
    #expect(completions([""]) == names)
    #expect(completions(["help", ""]) == names + CommandList.news.groups.map { $0.name })
    for name in names {
      #expect(news("help").output.contains("  \(name) "))
      #expect(news("man").output.contains(".Ss news \(name)\n"))
    }
    for output in [news("help").output, news("man").output] { #expect(!output.contains("__")) }
  }

  @Test("what is proposed is understood by the reader")
  func understood() throws {
    for command in CommandList.news.all {
      let options = CommandOption.global + command.options
      let reader = ArgumentReader(options: options, command: command.name)
      for word in completions([command.name, "--"]) {
        let option = try #require(options.first { $0.spelling == word })
        let arguments = try reader.read(option.value == nil ? [word] : [word, "value"])
        #expect(arguments.has(option.key))
        // The cursor after the option is at its value exactly where the reader takes one.
        let point = CompletionPoint(.news, words: [command.name, word], current: "x")
        if case .value = point.subject {
          #expect(option.value != nil)
        } else {
          #expect(option.value == nil)
        }
      }
    }
  }

  @Test("every variable that is read is in the manual")
  func variables() throws {
    // Short capitals might be macros: they are escaped.
    let manual = try CommandRun()("man").output.replacing("\\&", with: "")
    let sources = [
      "Base/CommandLine", "Activities/Episodes", "Commands",
    ].map { BuiltProduct.fixture("../Sources/\($0)") }
    let found = try Subprocess.run(["grep", "-rhoE", #"variable\("[A-Z_]+"\)"#] + sources).text
    let names = Set(found.split(separator: "\n").map { $0.dropFirst(10).dropLast(2) })
    #expect(names.count > 10)
    // Terminals set these, not people, to say that they can show links and colours; PATH is every
    // program's.
    let usual: Set<Substring> = ["VTE_VERSION", "TERM_PROGRAM", "COLORTERM", "PATH"]
    for name in names.subtracting(usual) {
      #expect(manual.contains(".It Ev \(name)\n"), "\(name)")
    }
  }

  @Test("each file in the home is in the manual")
  func files() throws {
    let news = try CommandRun()
    try news.storeSample()
    news("list")
    news("refresh")
    for name in try namesInFolder(news.folder.path("home")) where !name.hasPrefix(".") {
      #expect(news("man").output.contains(".It Pa \(name)\n"), "\(name)")
    }
  }

  @Test("undo proposes the numbers of the changes that can be taken back, with their commands")
  func changes() throws {
    let news = try CommandRun()
    try news.storeSample()
    #expect(news("list").status == 0)
    #expect(news("star", "1").status == 0 && news("read", "2").status == 0)
    let point = CompletionPoint(.news, words: ["undo"], current: "")
    let proposed = { () -> [String] in
      let completer = Completer(commands: .news, point: point, store: news.store)
      guard case .words(let found) = completer.answer() else { return [] }
      return found.map { "\($0.text) \($0.meaning)" }
    }
    let all = proposed()
    #expect(all.count == 2 && all[0] == "2 read" && all[1] == "1 star", "\(all)")
    #expect(news("undo").status == 0)
    #expect(proposed() == [all[1]])
  }

  @Test(
    "tags of feeds and of stories are proposed, each once, and where feeds are meant theirs alone",
    arguments: [
      (["tag", ""], ["later", "work"]), (["untag", "l"], ["later"]),
      (["feeds", "set", "--tag", "w"], ["work"]), (["list", "--grep", "tag:l"], ["tag:later"]),
      (["list", "--feed", "tag:"], ["tag:later", "tag:work"]),
      (["refresh", "tag:"], ["tag:work"]),
    ],
  )
  func tags(_ words: [String], _ proposed: [String]) throws {
    let news = try CommandRun()
    try news.storeSample()
    #expect(news("feeds", "set", "Example", "--tag", "work").status == 0)
    #expect(news("tag", "later,Work", "1").status == 0)
    #expect(completions(words, in: news) == proposed)
  }

  private func completions(_ words: [String], in news: CommandRun? = nil) -> [String] {
    let point = CompletionPoint(.news, words: words.dropLast(), current: words.last ?? "")
    guard
      case .words(let found) = Completer(commands: .news, point: point, store: news?.store).answer()
    else { return [] }
    return found.map(\.text)
  }
}

extension String {
  fileprivate func components(after start: String) -> String? {
    guard let range = firstRange(of: start) else { return nil }
    let rest = self[range.upperBound...]
    return String(rest.firstRange(of: "\n.Ss ").map { rest[..<$0.lowerBound] } ?? rest)
  }
}

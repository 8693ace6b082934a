import CommandLine
import CommandSupport
import Episodes
import FeedModel
import FeedStorage

extension BrowserSession {
  /// Leaves the terminal to `body`; meanwhile SIGINT and SIGQUIT do not end the view.
  func inTerminal<R>(_ body: () throws -> R) rethrows -> R {
    screen.leave()
    for number in [SIGINT, SIGQUIT] { _ = signal(number, SIG_IGN) }
    for number in [SIGTSTP, SIGTERM, SIGHUP] { _ = signal(number, SIG_DFL) }
    defer {
      signals.listen()
      screen.take()
    }
    return try body()
  }

  func suspend() {
    screen.leave()
    POSIX.stop()
    signals.listen()
    screen.take()
  }

  /// Runs a program for each story; returns the last status that is not 0.
  func run(_ program: BrowserProgram, for stories: [StoredItem]) throws -> Int32 {
    var status: Int32 = 0
    let dates = StoryDates(nil, clock: context.clock)
    let numbers = try program.namesNumber() ? try numbers(of: stories) : [:]
    for story in stories {
      let feed = names.name(ofFirst: story.feeds)
      var fields = TemplateStory(
        number: numbers[story.id],
        story: removal.story(story),
        feed: feed,
        dates: dates,
      )
      fields.texts = try program.texts(context)
      let (words, guarded) = try program.words(for: fields)
      let ended = try run(words, program.readsText ? plainText(of: story) : nil)
      if ended != 0 { status = ended }
      if let guarded {
        browser.message =
          "\(Spelling.quoted(guarded)) went with a blank before it, not to be an option: "
          + "put -- before it in your keys"
      }
    }
    return status
  }

  private func run(_ words: [String], _ text: [String]?) throws -> Int32 {
    let environment = context.environment
    let status = inTerminal {
      text.map { environment.showInPager(words, [:], $0) } ?? environment.launch(words)
    }
    guard status != 127 else {
      throw Failure(
        "\(Spelling.quoted(words[0])) cannot be run: no such program is there"
      )
    }
    return status
  }

  /// Returns numbers for `news` commands that a program in this terminal runs.
  ///
  /// Stories of the last list keep their numbers; new ones are recorded beyond them.
  private func numbers(of stories: [StoredItem]) throws -> [String: Int] {
    var numbers = ListNumbers(context)
    let items = browser.stories.library.items
    var known: [String: Int] = [:]
    for story in stories {
      let position = try items.index(ofID: story.id, near: 0) ?? 0
      known[story.id] = numbers.number(of: StoryID(story.id), at: position)
    }
    context.record(numbers, in: store)
    return known
  }

  private func plainText(of story: StoredItem) -> [String] {
    let card = StoryCard(context, names, width: browser.layout.storyColumns)
    let shown = text(of: story)
    return card.page(shown.story, shown.document, hasDetails: browser.hasDetails)
      .map { TerminalText.unstyled($0) + "\n" }
  }

  func save(_ story: StoredItem) throws {
    let folder = try context.downloadFolder().path
    let path = "\(folder)/\(Episode.baseName(of: story)).txt"
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      throw Failure("\(path): \(POSIX.errorMessage(errno))")
    }
    let output = TextOutput.descriptor(file)
    for line in plainText(of: story) { output.print(line) }
    output.flush()
    guard close(file) == 0, !output.hasFailed else {
      throw Failure("\(path) could not be written")
    }
    browser.message = "saved \(path)"
  }

  /// Shows one line at the bottom, and the faults of a command; several lines as a text, unless a key
  /// has come meanwhile.
  func show(_ result: CommandResult) {
    let lines = result.lines
    if result.hasFailed, !result.isReport {
      browser.message = lines.map { TerminalText.unstyled($0) }.joined(separator: "\n")
    } else if lines.count > 1, isUntouched, browser.question == nil {
      // The last line may have been shown alone while the command ran.
      browser.message = ""
      browser.show(lines)
    } else {
      browser.message = lines.last.map(TerminalText.unstyled) ?? ""
    }
  }

  /// Extends a typed line as far as all completions agree, and shows them.
  func complete(_ line: String) {
    let (words, last) = (ShellLine(line).words, ShellLine(line).last)
    let isNew = last == line.endIndex
    let before = isNew ? words : Array(words.dropLast())
    let commands = browser.keys.commands
    let point = CompletionPoint(
      commands.program,
      words: before,
      current: isNew ? "" : words.last ?? "",
    )
    var spelled = ""
    if case .value(_, let name) = point.subject { spelled = name }
    var completer = Completer(commands: commands, point: point, store: store)
    // Rows are chosen here, and not numbered.
    completer.numbersStories = false
    guard case .words(let all) = completer.answer() else { return }
    let start = String(line[..<last])
    var candidates = BrowserKeys.all.filter { $0.act != nil && $0.line.hasPrefix(line) }
      .map { String($0.line.dropFirst(start.count)) }
    candidates += all.map { SafeText.line($0.text) }
    if isNew, candidates.count != 1, case .operand = point.subject {
      candidates += (point.command?.options ?? []).map(\.spelling)
    }
    browser.message = candidates.count > 1 ? candidates.joined(separator: "  ") : ""
    guard let first = candidates.first else { return }
    let common = candidates.dropFirst().reduce(first) { $0.commonPrefix(with: $1) }
    let isPlain = ShellWord.asNeeded(common) == common && common.count >= point.typed.count
    guard candidates.count == 1 || isPlain else { return }
    let word = candidates.count == 1 ? ShellWord.asNeeded(common) + " " : common
    browser.question = BrowserQuestion(.line, start + spelled + word)
  }
}

extension String {
  fileprivate func commonPrefix(with other: String) -> String {
    String(zip(self, other).prefix { $0.0 == $0.1 }.map(\.0))
  }
}

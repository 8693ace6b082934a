import CommandLine
import CommandSupport
import FeedModel
import FeedStorage
import FollowingCommands
import Searching

enum RuleChecks {
  /// Leaves a damaged file of rules to `HomeChecks`.
  static func findings(
    _ context: CommandContext,
    _ store: LibraryStore,
    _ subscriptions: [Subscription],
  ) -> [Finding] {
    let rules = (try? store.rules()) ?? []
    return rules.flatMap { findings($0, subscriptions, context) } + notices(rules, context)
  }

  private static func notices(_ rules: [StoryRule], _ context: CommandContext) -> [Finding] {
    guard rules.contains(where: \.notifies),
      let fault = DesktopNotice.fault(context.environment)
    else { return [] }
    return [.note("notices", "what rules tell you of is not shown: \(fault)", fault.advice)]
  }

  private static func findings(
    _ rule: StoryRule,
    _ subscriptions: [Subscription],
    _ context: CommandContext,
  ) -> [Finding] {
    let subject = "rule \(rule.name)"
    let remove = "news rules remove \(ShellWord.asNeeded(SafeText.line(rule.name)))"
    var findings: [Finding] = []
    do {
      _ = try context.condition(toActBy: rule, subscriptions)
    } catch {
      findings.append(.wrong(subject, "it does nothing: \(error.line)", remove))
    }
    let urls = Set(subscriptions.map(\.url))
    for feed in rule.feeds where StoryTag(feed) == nil && !urls.contains(feed) {
      let text = "\(WebURL.printable(feed)) is followed no more"
      findings.append(.note(subject, text, "if you do not follow it again: \(remove)"))
    }
    return findings
  }
}

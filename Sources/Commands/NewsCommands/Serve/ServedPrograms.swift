import CommandLine
import CommandSupport
import FeedServing

/// The programs that are started for a server: `news` itself, to subscribe and import for apps.
enum ServedPrograms {
  /// The words with which all of them begin; nil where this program's file is gone.
  ///
  /// Feeds that an app names may be in a private network only if the user who serves has said so.
  static func start(_ context: CommandContext, home: String) -> [String]? {
    let permission = context.arguments.has("allow-private") ? ["--allow-private"] : []
    return context.environment.executable().map {
      [
        "/usr/bin/env", "\(CommandContext.byPhone)=1", $0, "--home", home, "--no-defaults",
        "--no-history",
      ] + permission
    }
  }

  static let importing = [ImportCommand.name, "-"]

  static func subscribing(
    to url: String,
    _ edit: ServedEdit,
    isChecked: Bool,
  ) -> [String] {
    let title = edit.title.map { ["--title", $0] } ?? []
    let tags = edit.added.flatMap { ["--tag", $0] }
    let unchecked = isChecked ? [] : ["--no-check"]
    return ["subscribe"] + title + tags + ["--public"] + unchecked + ["--", url]
  }
}

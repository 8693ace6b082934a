internal import CommandLine
import FeedFetching
package import FeedModel
internal import System

package struct ImportedList: Hashable, Sendable {
  package struct LeftOut: Hashable, Sendable {
    package let text: String
    package let reason: String
  }

  package struct Filter: Hashable, Sendable {
    package let place: String
    /// The name of a saved search, or nil for a filter of incoming stories.
    package let name: String?
    package let feed: String?
    package let text: String

    package init(place: String, name: String? = nil, feed: String? = nil, text: String) {
      (self.place, self.name, self.feed, self.text) = (place, name, feed, text)
    }
  }

  package struct Setting: Hashable, Sendable {
    package let place: String
    package let words: [String]

    package init(place: String, words: [String]) {
      (self.place, self.words) = (place, words)
    }
  }

  package var subscriptions: [Subscription] = []
  package var filters: [Filter] = []
  /// The words of other settings of newsboat's, by their lines.
  package var settings: [Setting] = []
  package var refused: [LeftOut] = []
  /// The document with the URLs of `subscriptions` in its elements, or nil if it says no more than
  /// they do.
  package var document: OutlineDocument?
  package var isCutShort = false

  package init() {}

  package mutating func refuse(_ text: String, _ reason: String = "not an http or https URL") {
    refused.append(LeftOut(text: text, reason: reason))
  }

  package mutating func refuse(_ filter: Filter, _ reason: String) {
    refuse("\(filter.place): \(filter.text)", reason)
  }
}

package enum ImportedURL {
  package struct Permission: Hashable, Sendable {
    var files = false
    var privateNetworks = false
    package var commands = false

    package init(files: Bool = false, privateNetworks: Bool = false, commands: Bool = false) {
      self.files = files
      self.privateNetworks = privateNetworks
      self.commands = commands
    }
  }

  /// Returns the URL to subscribe to: http or https with a host, trimmed, and escaped to ASCII.
  ///
  /// User and password stay, since some feeds need them. Files, commands and private hosts need a
  /// permission.
  package static func read(_ text: String, _ permission: Permission) throws -> String {
    if text == Subscription.savedURL { return text }
    if let command = CommandURL.command(of: text) { return try read(command: command, permission) }
    let url = PastedAddress(SafeText.line(text)).url
    if let path = LocalPath.path(ofFileURL: url) {
      guard permission.files else { throw Failure(fileRefusal) }
      return LocalPath.fileURL(LocalPath.normalized(path))
    }
    let encoded = SafeLink.isSafe(url) ? url : WebURL.resolveBase(url, against: nil)
    guard let encoded, WebURL.isWeb(encoded), SafeLink.isSafe(encoded) else {
      throw Failure("not an http or https URL")
    }
    guard permission.privateNetworks || !(WebURL.host(of: encoded).map(LocalHost.contains) ?? false)
    else { throw Failure(privateRefusal) }
    return encoded
  }

  private static func read(command: String, _ permission: Permission) throws -> String {
    let isLine = command.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    guard isLine, command.contains(where: { $0 != " " }) else {
      throw Failure("not a command of one line")
    }
    guard permission.commands else { throw Failure(commandRefusal) }
    return CommandURL.url(command)
  }

  package static let commandRefusal = "runs a command (`--commands` takes those too)"
  private static let fileRefusal = "a file (`--files` takes those too)"
  private static let privateRefusal = "in a private network (`--allow-private` takes those too)"

  /// The reasons for which feeds are left out that could be followed.
  package static let refusals = [commandRefusal, fileRefusal, privateRefusal]

  /// The command and URL of newsboat's `filter:COMMAND:URL`; no command for another word.
  package static func filtered(
    _ word: String,
    _ permission: Permission,
  ) throws -> (filter: String?, url: String) {
    let start = "filter:"
    guard word.hasPrefix(start) else { return (nil, word) }
    let rest = word.dropFirst(start.count)
    let filter = rest.prefix { $0 != ":" }
    _ = try read(command: String(filter), permission)
    return (String(filter), String(rest.dropFirst(filter.count + 1)))
  }

  /// The subscription to a URL of a list, whose server must be on the internet unless private
  /// networks are permitted.
  package static func subscription(
    _ url: String,
    title: String? = nil,
    _ permission: Permission,
  ) -> Subscription {
    var subscription = Subscription(url: url, title: title)
    if permission.privateNetworks || WebURL.isWeb(url) {
      subscription.state.isOnInternet = !permission.privateNetworks
    }
    return subscription
  }

  package static func kind(_ word: String) -> String? {
    word.hasPrefix("query:") ? "a query of newsboat's, not a feed" : nil
  }
}

package import CommandLine
import FeedFetching
package import FeedModel
internal import System

/// What a file of subscriptions holds, and what of it cannot be taken.
package struct ImportedList: Hashable, Sendable {
  package struct LeftOut: Hashable, Sendable {
    package let text: String
    package let reason: String
  }

  /// A filter of another reader's, in its own language.
  package struct Filter: Hashable, Sendable {
    /// Where it stands, for messages.
    package let place: String
    /// Of a saved search; nil for stories that are to be left out as they come.
    package let name: String?
    /// The feed that it is about; nil for all.
    package let feed: String?
    package let text: String

    package init(place: String, name: String? = nil, feed: String? = nil, text: String) {
      (self.place, self.name, self.feed, self.text) = (place, name, feed, text)
    }
  }

  package var subscriptions: [Subscription] = []
  package var filters: [Filter] = []
  package var refused: [LeftOut] = []
  /// The document that it was, with the URLs of `subscriptions` in its elements; nil where the file
  /// has no more to say than they do.
  package var document: OutlineDocument?
  package var isCutShort = false

  package init(
    subscriptions: [Subscription] = [],
    refused: [LeftOut] = [],
    document: OutlineDocument? = nil,
    isCutShort: Bool = false,
  ) {
    self.subscriptions = subscriptions
    self.refused = refused
    self.document = document
    self.isCutShort = isCutShort
  }

  package mutating func refuse(_ text: String, _ reason: String = "not an http or https URL") {
    refused.append(LeftOut(text: text, reason: reason))
  }

  package mutating func refuse(_ filter: Filter, _ reason: String) {
    refuse("\(filter.place): \(filter.text)", reason)
  }
}

/// Reads the URLs of feeds that files of other programs bring.
package enum ImportedURL {
  /// What a list from elsewhere may name, which has no business with this machine or its network.
  package struct Permission: Hashable, Sendable {
    var files = false
    var privateNetworks = false
    /// It may have the reader's machine run programs.
    package var commands = false

    package init(files: Bool = false, privateNetworks: Bool = false, commands: Bool = false) {
      self.files = files
      self.privateNetworks = privateNetworks
      self.commands = commands
    }
  }

  /// The URL to subscribe to: http or https with a host, white space around it removed, what is not
  /// ASCII escaped; user and password stay, since some feeds are asked with them.
  package static func read(_ text: String, _ permission: Permission) throws(WordFault) -> String {
    if text == Subscription.savedURL { return text }
    if let command = CommandURL.command(of: text) { return try read(command: command, permission) }
    let url = PastedAddress(SafeText.line(text)).url
    if let path = LocalPath.path(ofFileURL: url) {
      guard permission.files else { throw WordFault(reason: "a file (`--files` takes those too)") }
      return LocalPath.fileURL(LocalPath.normalized(path))
    }
    let encoded = SafeLink.isSafe(url) ? url : WebURL.resolveBase(url, against: nil)
    guard let encoded, WebURL.isWeb(encoded), SafeLink.isSafe(encoded) else {
      throw WordFault(reason: "not an http or https URL")
    }
    guard permission.privateNetworks || !(WebURL.host(of: encoded).map(LocalHost.contains) ?? false)
    else { throw WordFault(reason: "in a private network (`--allow-private` takes those too)") }
    return encoded
  }

  private static func read(
    command: String,
    _ permission: Permission,
  ) throws(WordFault) -> String {
    let isLine = command.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    guard isLine, command.contains(where: { $0 != " " }) else {
      throw WordFault(reason: "not a command of one line")
    }
    guard permission.commands else { throw WordFault(reason: commandRefusal) }
    return CommandURL.url(command)
  }

  package static let commandRefusal = "runs a command (`--commands` takes those too)"

  /// The command and the URL of newsboat's `filter:COMMAND:URL`; no command for another word.
  package static func filtered(
    _ word: String,
    _ permission: Permission,
  ) throws(WordFault) -> (filter: String?, url: String) {
    let start = "filter:"
    guard word.hasPrefix(start) else { return (nil, word) }
    let rest = word.dropFirst(start.count)
    let filter = rest.prefix { $0 != ":" }
    _ = try read(command: String(filter), permission)
    return (String(filter), String(rest.dropFirst(filter.count + 1)))
  }

  /// The subscription to a URL of a list: its server is to be one of the internet, unless those of
  /// private networks are taken too.
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

  /// Why what newsboat takes for a feed is none; nil for a URL.
  package static func kind(_ word: String) -> String? {
    word.hasPrefix("query:") ? "a query of newsboat's, not a feed" : nil
  }
}

import CommandLine
import CommandSupport
import FeedServing

struct ServeOptions {
  private let context: CommandContext
  let place: ListeningPlace
  /// The certificate's file and the key's, as absolute paths; none without TLS.
  let certificatePaths: [String]
  let isBehindProxy: Bool

  /// Reads the options, but for a place that is given; throws if a password could be read on its
  /// way.
  init(_ context: CommandContext, at place: ListeningPlace? = nil) throws {
    self.context = context
    isBehindProxy = context.arguments.has("behind-proxy")
    certificatePaths = try Self.paths(context)
    if let place {
      guard !context.arguments.has("listen") else {
        throw context.usage("--listen cannot be used where systemd has opened the socket")
      }
      self.place = place
    } else {
      self.place = try Self.place(context)
    }
    guard hasTLS || self.place.address.isPrivate else {
      throw Failure(
        "\(self.place.text) can be reached from elsewhere: give --certificate and --key, or listen on "
          + Self.privatePlaces(self.place.port)
          + "\(ListeningPlace.standard) behind a proxy (--behind-proxy)"
      )
    }
  }

  var hasTLS: Bool { !certificatePaths.isEmpty }

  /// `https` or `http`, and the place.
  static func url(_ place: ListeningPlace, hasTLS: Bool) -> String {
    "\(hasTLS ? "https" : "http")://\(place.text)"
  }

  /// Returns `192.168.1.5:8265 for this network, or `; empty for a machine without such an address.
  private static func privatePlaces(_ port: UInt16) -> String {
    let places = NetworkAddress.ofThisMachine.map { "\($0.text):\(port)" }
    return places.isEmpty ? "" : "\(places.joined(separator: ", ")) for your network, or on "
  }

  private static func place(_ context: CommandContext) throws -> ListeningPlace {
    let text = context.arguments.value("listen") ?? ListeningPlace.standard
    guard let place = ListeningPlace(text) else {
      throw context.usage(
        "--listen: \(Spelling.quoted(text)) is not a numeric address with a port, such as "
          + ListeningPlace.standard
      )
    }
    return place
  }

  private static func paths(_ context: CommandContext) throws -> [String] {
    var paths: [String] = []
    for name in ["certificate", "key"] {
      guard let word = context.arguments.value(name) else { continue }
      let folder = context.environment.currentFolder()
      guard !word.isEmpty, let path = LocalPath.absolute(word, in: folder) else {
        throw context.usage("--\(name) needs a file: --\(name) FILE")
      }
      paths.append(path)
    }
    guard paths.count != 1 else { throw context.usage("--certificate and --key go together") }
    return paths
  }

  func certificate() throws -> TLSCertificate? {
    guard hasTLS else { return nil }
    return TLSCertificate(
      certificate: try Self.text(of: certificatePaths[0]),
      key: try Self.text(of: certificatePaths[1]),
    )
  }

  private static func text(of path: String) throws -> String {
    do {
      return String(decoding: try POSIX.readFile(path, maximumBytes: 1 << 20), as: UTF8.self)
    } catch {
      throw Failure("\(path): \(error)")
    }
  }
}

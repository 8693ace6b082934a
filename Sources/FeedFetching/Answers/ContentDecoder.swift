import Decompression
import System

/// Undoes the codings of a body (RFC 9110 §8.4) by what the bytes are, as many servers name a
/// coding that they have not used.
final class ContentDecoder {
  private(set) var failure: FetchError?
  private(set) var goesOn = true
  /// The layers, the outermost first.
  private let layers: [Layer]
  private let maximumBytes: Int

  /// The number of codings one within the other: no server has more than two, and each may take
  /// what memory it needs.
  private static let maximumLayers = 2

  /// Prepares for the codings of an answer; between two layers no more than `maximumBytes` go.
  init(_ codings: [String], maximumBytes: Int) {
    layers = codings.prefix(Self.maximumLayers).reversed().map { Layer(names[$0] ?? nil) }
    self.maximumBytes = maximumBytes
    if codings.count > Self.maximumLayers { fail(.undecodableBody) }
  }

  /// The value of `Accept-Encoding`: the codings that can be undone on this machine.
  static let offered: String = {
    let more: [(String, Compression)] = [("br", .brotli), ("zstd", .zstd)]
    // A library that cannot be loaded is not offered, for whatever reason.
    let names = more.filter { (try? $0.1.load()) != nil }.map(\.0)
    return (["deflate", "gzip"] + names).joined(separator: ", ")
  }()

  /// Reads a `Content-Encoding`, without words that name no coding: a charset, `8bit`, `none`.
  static func codings(_ field: String) -> [String] {
    field.lowercased().split(separator: ",").map(HTTPField.trimmed)
      .filter { names.keys.contains($0) }
  }

  func decode(_ piece: UnsafeRawBufferPointer, into sink: (UnsafeRawBufferPointer) -> Bool) {
    if goesOn, !write(piece, through: 0, to: sink) { goesOn = false }
  }

  /// Passes on the bytes that were held back until their coding was known.
  func finish(into sink: (UnsafeRawBufferPointer) -> Bool) {
    for (index, layer) in layers.enumerated() where goesOn {
      goesOn = layer.finish { write($0, through: index + 1, to: sink) }
      if let failure = layer.failure { fail(failure) }
    }
  }

  private func write(
    _ piece: UnsafeRawBufferPointer,
    through index: Int,
    to sink: (UnsafeRawBufferPointer) -> Bool,
  ) -> Bool {
    guard index < layers.count else { return sink(piece) }
    let layer = layers[index]
    let isTaken = layer.decode(piece) { output in
      layer.bytes += output.count
      guard index == layers.count - 1 || layer.bytes <= maximumBytes else {
        fail(.bodyTooLarge(maximumBytes: maximumBytes))
        return false
      }
      return write(output, through: index + 1, to: sink)
    }
    if let failure = layer.failure { fail(failure) }
    return isTaken
  }

  private func fail(_ error: FetchError) {
    failure = failure ?? error
    goesOn = false
  }
}

/// The registered codings and those that are seen, by their names; nil for those that cannot be
/// undone here.
private let names: [String: Compression?] = [
  "gzip": .gzip, "x-gzip": .gzip, "deflate": .zlib, "br": .brotli, "zstd": .zstd,
  "compress": nil, "x-compress": nil, "exi": nil, "pack200-gzip": nil, "dcb": nil, "dcz": nil,
  "bzip2": nil, "lzma": nil, "xz": nil,
]

private final class Layer {
  private enum State {
    case start([UInt8])
    case plain
    case compressed(Decompressor)
  }

  private(set) var failure: FetchError?
  var bytes = 0
  private let compression: Compression?
  private var state = State.start([])

  private static let startBytes = 16

  init(_ compression: Compression?) {
    self.compression = compression
  }

  func decode(
    _ piece: UnsafeRawBufferPointer,
    into sink: (UnsafeRawBufferPointer) -> Bool,
  ) -> Bool {
    switch state {
    case .plain: return sink(piece)
    case .compressed(let decompressor):
      let progress = decompressor.decompress(piece, into: sink)
      if progress == .damaged { failure = .undecodableBody }
      return progress == .wantsMore || progress == .ended
    case .start(let start):
      let start = start + piece
      state = .start(start)
      return start.count < Self.startBytes || begin(start, into: sink)
    }
  }

  func finish(into sink: (UnsafeRawBufferPointer) -> Bool) -> Bool {
    guard case .start(let start) = state, !start.isEmpty else { return true }
    return begin(start, into: sink)
  }

  private func begin(_ start: [UInt8], into sink: (UnsafeRawBufferPointer) -> Bool) -> Bool {
    do throws(LibraryFault) {
      state = try state(of: start)
    } catch {
      failure = .library(error)
    }
    if case .start = state { failure = failure ?? .undecodableBody }
    guard failure == nil else { return false }
    return start.withUnsafeBytes { decode($0, into: sink) }
  }

  private func state(of start: [UInt8]) throws(LibraryFault) -> State {
    if MarkupStart.isMarkup(start) { return .plain }
    guard let compression = compression(of: start) else { return state }
    return try Decompressor(compression).map { .compressed($0) } ?? state
  }

  private func compression(of start: [UInt8]) -> Compression? {
    let marked = [Compression.gzip, .zstd].first { start.starts(with: $0.mark) }
    if let marked { return marked }
    switch compression {
    case .brotli: return .brotli
    // Some servers send `deflate` without the header that the name stands for.
    case .zlib: return isZlib(start) ? .zlib : .deflate
    case .gzip: return isZlib(start) ? .zlib : nil
    default: return nil
    }
  }

  /// Looks for a header by RFC 1950 §2.2.
  private func isZlib(_ start: [UInt8]) -> Bool {
    start.count >= 2 && start[0] & 0x0F == 8 && (Int(start[0]) << 8 + Int(start[1])) % 31 == 0
  }
}

private enum MarkupStart {
  /// Returns true for the beginnings of XML, HTML and JSON objects, with which no compressed body
  /// begins.
  static func isMarkup(_ bytes: [UInt8]) -> Bool {
    if [[0xFF, 0xFE], [0xFE, 0xFF], [0, 0x3C]].contains(where: bytes.starts) { return true }
    let text = (bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...])
      .drop(while: \.isXMLWhitespace)
    guard let first = text.first else { return true }
    let second = text.dropFirst().first ?? 0
    switch first {
    case UInt8(ascii: "<"):
      return second == 0 || second.isASCIILetter || [0x21, 0x3F, 0x2F].contains(second)
    case UInt8(ascii: "{"): return second.isXMLWhitespace || [0, 0x22, 0x7D].contains(second)
    default: return false
    }
  }
}

@testable import FeedParsing

struct StageRun {
  var output: [UInt8] = []
  var notes: [String] = []
  var isRootClosed = false
  var error: FeedParsingError?

  var text: String { String(decoding: output, as: UTF8.self) }

  static func decode(
    _ bytes: [UInt8],
    charset: String? = nil,
    maximumBytes: Int = 32 << 20,
  ) -> StageRun {
    var run = StageRun()
    bytes.withUnsafeBytes { bytes in
      do throws(FeedParsingError) {
        let decoder = try DocumentDecoder(bytes, charset: charset, maximumBytes: maximumBytes)
        run.output = decoder.withBytes(of: bytes) { Array($0) }
        run.notes = decoder.notes
      } catch {
        run.error = error
      }
    }
    return run
  }

  static func repair(_ bytes: [UInt8], url: String? = nil) -> StageRun {
    var run = StageRun()
    bytes.withUnsafeBytes { bytes in
      do throws(FeedParsingError) {
        let document = try MarkupRepair.repair(bytes, url: url)
        run.output = document.bytes
        run.notes = document.notes
        run.isRootClosed = document.isRootClosed
      } catch {
        run.error = error
      }
    }
    return run
  }

  static func both(_ bytes: [UInt8], charset: String? = nil) -> StageRun {
    let decoded = decode(bytes, charset: charset)
    guard decoded.error == nil else { return decoded }
    var run = repair(decoded.output)
    run.notes = decoded.notes + run.notes
    return run
  }
}

extension [UInt8] {
  init(_ text: String) {
    self = Array(text.utf8)
  }

  init(hex: String) {
    let digits = hex.compactMap(\.hexDigitValue)
    self = stride(from: 0, to: digits.count - 1, by: 2).map {
      UInt8(digits[$0] << 4 | digits[$0 + 1])
    }
  }
}

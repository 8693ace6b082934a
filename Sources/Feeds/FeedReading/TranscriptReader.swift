import FeedModel
import FeedParsing
import HTMLText
import System

/// Reads transcripts in the forms that Podcasting 2.0 names: WebVTT, SubRip, JSON, HTML and plain
/// text.
enum TranscriptReader {
  /// Returns HTML as it is, and other forms as plain text, whose paragraphs begin with the time and
  /// the speaker where they are known.
  ///
  /// The file is as the server sent it, compressed or not; the charset is the transport's.
  static func text(
    _ file: UnsafeRawBufferPointer,
    url: String,
    charset: String?,
    isHTML: Bool,
  ) throws(FeedParsingError) -> StoryText {
    let decoder = try DocumentDecoder(file, charset: charset)
    return try decoder.withBytes(of: file) { (bytes) throws(FeedParsingError) in
      let first = bytes.first { !" \t\r\n".utf8.contains($0) }
      if isHTML || first == UInt8(ascii: "<") {
        return StoryText(isHTML: true, base: url, bytes: Array(bytes))
      }
      if first == UInt8(ascii: "{"), let value = try JSONDocument(bytes).value() {
        return text(segments(of: value))
      }
      let lines = String(decoding: bytes, as: UTF8.self)
        .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      let segments = cues(lines)
      return segments.isEmpty ? StoryText(isHTML: false, bytes: Array(bytes)) : text(segments)
    }
  }

  private struct Segment {
    let start: Double
    let speaker: String
    let text: String
  }

  // MARK: Forms

  /// Reads `{"segments": [{"speaker": …, "startTime": seconds, "body": …}]}`.
  private static func segments(of value: JSONValue) -> [Segment] {
    (value["segments"]?.elements ?? []).map { segment in
      Segment(
        start: segment["startTime"]?.text.flatMap(Double.init) ?? 0,
        speaker: SafeText.line(segment["speaker"]?.text ?? ""),
        text: SafeText.line(segment["body"]?.text ?? ""),
      )
    }
  }

  /// Reads lines with times and the text below them, up to an empty line, as WebVTT and SubRip have
  /// them.
  private static func cues(_ lines: [Substring]) -> [Segment] {
    var segments: [Segment] = []
    var rest = lines[...]
    while let line = rest.popFirst() {
      guard let start = start(line) else { continue }
      let said = rest.prefix { !$0.allSatisfy(\.isWhitespace) }
      rest = rest.dropFirst(said.count)
      segments.append(cue(start, said.joined(separator: " ")))
    }
    return segments
  }

  /// Reads the seconds before the arrow of `00:01:02.500 --> 00:01:05.000`; SubRip has a comma in
  /// them.
  private static func start(_ line: Substring) -> Double? {
    guard let arrow = line.firstRange(of: "-->") else { return nil }
    let time = line[..<arrow.lowerBound].filter { !$0.isWhitespace }
    let parts = time.split(separator: ":").map { part in
      Double(String(part.map { $0 == "," ? "." : $0 }))
    }
    guard (2...3).contains(parts.count) else { return nil }
    return parts.reduce(0) { seconds, part in
      seconds.flatMap { seconds in part.map { seconds * 60 + $0 } }
    }
  }

  /// Removes the tags of a cue, of which `<v Ada>` names the speaker.
  private static func cue(_ start: Double, _ said: String) -> Segment {
    var (text, speaker) = ("", "")
    for (number, part) in said.split(separator: "<", omittingEmptySubsequences: false).enumerated()
    {
      guard number > 0, let end = part.firstIndex(of: ">") else {
        text += number > 0 ? "<" + part : part
        continue
      }
      let tag = part[..<end].split(separator: " ", maxSplits: 1)
      if tag.count == 2, tag[0] == "v" || tag[0].hasPrefix("v.") { speaker = String(tag[1]) }
      text += part[part.index(after: end)...]
    }
    return Segment(start: start, speaker: plain(speaker), text: plain(text))
  }

  private static func plain(_ text: String) -> String {
    // The tags have been removed: any < that is left is text.
    let escaped = text.replacing("<", with: "&lt;")
    return StoryText(isHTML: true, bytes: Array(escaped.utf8)).line
  }

  // MARK: Paragraphs

  /// Joins the segments of one speaker; a paragraph ends after half a minute at the end of a
  /// sentence, and anywhere after two.
  private static func text(_ segments: [Segment]) -> StoryText {
    var paragraphs: [String] = []
    var (start, speaker, last) = (0.0, "", "")
    for segment in segments where !segment.text.isEmpty && segment.text != last {
      let spent = segment.start - start
      let isSentence = last.last.map { ".?!…。？！".contains($0) } ?? true
      let goesOn = segment.speaker == speaker || segment.speaker.isEmpty
      if paragraphs.isEmpty || !goesOn || spent >= (isSentence ? 30 : 120) {
        (start, speaker) = (segment.start, segment.speaker.isEmpty ? speaker : segment.speaker)
        let name = segment.speaker.isEmpty ? "" : " \(segment.speaker):"
        paragraphs.append("[\(time(start))]\(name) \(segment.text)")
      } else {
        paragraphs[paragraphs.count - 1] += " " + segment.text
      }
      last = segment.text
    }
    return StoryText(isHTML: false, bytes: Array(paragraphs.joined(separator: "\n\n").utf8))
  }

  /// Returns `4:05`, or `1:04:05`.
  private static func time(_ seconds: Double) -> String {
    let seconds = seconds.isFinite ? Int(max(0, min(seconds, 1e7))) : 0
    let tail = "\((seconds / 60 % 60).padded(to: 2)):\((seconds % 60).padded(to: 2))"
    return seconds >= 3600 ? "\(seconds / 3600):\(tail)" : tail
  }
}

import FeedModel
import System

extension ItemBuilder {
  mutating func enclosures() -> [Enclosure] {
    guard !draft.enclosures.isEmpty else { return [] }
    var result: [Enclosure] = []
    for draft in draft.enclosures where draft.group == nil { merge(draft, into: &result) }
    takeOriginalLink(&result)
    let best = bestForms(besides: result.map(\.url))
    for draft in draft.enclosures {
      guard let group = draft.group else { continue }
      if group == 0 || best[group] == draft.url {
        merge(draft, into: &result)
      } else {
        forms.append(
          RelatedDraft(url: draft.url, type: draft.type, length: draft.length, base: draft.base)
        )
      }
    }
    takeDuration(&result)
    return result
  }

  /// Returns the address of the best form in each group, which is the one that is known already.
  private mutating func bestForms(besides known: [String]) -> [Int: TextSpan] {
    var best: [Int: (url: TextSpan, rank: Int)] = [:]
    for form in draft.enclosures {
      guard let group = form.group, group > 0, let url = url(form.url, base: form.base) else {
        continue
      }
      let rank = known.contains(url) ? .max : min(max(form.rank, 0), .max - 1)
      if rank > best[group]?.rank ?? -1 { best[group] = (form.url, rank) }
    }
    return best.mapValues(\.url)
  }

  private mutating func merge(_ draft: EnclosureDraft, into result: inout [Enclosure]) {
    guard let url = url(draft.url, base: draft.base) else { return }
    let new = Enclosure(
      url: url,
      type: line(draft.type),
      length: draft.length.flatMap { Enclosure.size(buffer.bytes($0).string) },
      duration: draft.duration.flatMap { PlayingTime.seconds(buffer.bytes($0)) },
    )
    guard let index = result.firstIndex(where: { $0.url == url }) else {
      result.append(new)
      return
    }
    result[index].type = result[index].type ?? new.type
    result[index].length = result[index].length ?? new.length
    result[index].duration = result[index].duration ?? new.duration
  }

  private func line(_ span: TextSpan?) -> String? {
    let line = span.map { SafeText.line(utf8: buffer.bytes($0)) }
    return line.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// FeedBurner puts its own counting address in the place of the only enclosure's.
  private mutating func takeOriginalLink(_ result: inout [Enclosure]) {
    guard result.count == 1, let field = draft.field(.originalEnclosureLink),
      let original = url(field.span, base: -1)
    else { return }
    result[0].url = original
  }

  /// `itunes:duration` is the item's: it belongs to the first enclosure that plays.
  private func takeDuration(_ result: inout [Enclosure]) {
    guard let field = draft.field(.duration),
      let seconds = PlayingTime.seconds(buffer.bytes(field.span)), seconds > 0,
      let index = result.firstIndex(where: \.plays), result[index].duration == nil
    else { return }
    result[index].duration = seconds
  }
}

extension ItemBuilder {
  /// Returns pictures, chapters, transcripts and pages, sorted by role, without what is an
  /// enclosure or the story's own link.
  ///
  /// Of an alternate enclosure's sources the first with a web address counts.
  mutating func related(besides enclosures: [Enclosure], _ link: TextSpan) -> [RelatedFile] {
    guard !draft.related.isEmpty || !draft.pictures.isEmpty || !forms.isEmpty else { return [] }
    let known = enclosures.map(\.url) + [memory.texts.bytes(link).string]
    var files = pictures().filter { !known.contains($0.url) }
    var last = 0
    for draft in draft.related + forms where draft.alternate == 0 || draft.alternate != last {
      guard let span = draft.url, let url = url(span, base: draft.base) else { continue }
      last = draft.alternate
      guard !files.contains(where: { $0.url == url && $0.role == draft.role }),
        draft.role == .chapters || draft.role == .transcript || !known.contains(url)
      else { continue }
      files.append(
        RelatedFile(
          role: draft.role,
          url: url,
          type: line(draft.type),
          length: draft.length.flatMap { Enclosure.size(buffer.bytes($0).string) },
          language: line(draft.language),
        )
      )
    }
    return RelatedFile.Role.allCases.flatMap { role in files.filter { $0.role == role } }
  }

  /// Returns the best of the sizes of the story's picture, one for each group, then the pictures
  /// that stand alone.
  private mutating func pictures() -> [RelatedFile] {
    func best(_ source: PictureDraft.Source) -> [PictureDraft] {
      (0...draft.groups).compactMap { group in
        draft.pictures.filter { $0.source == source && $0.group == group }
          .max { $0.rank < $1.rank }
      }
    }
    let content = best(.content)
    var files: [RelatedFile] = []
    for draft in (content.isEmpty ? best(.thumbnail) : content)
      + draft.pictures.filter({ $0.source == .own })
    {
      guard let url = url(draft.url, base: draft.base), !files.contains(where: { $0.url == url })
      else { continue }
      files.append(RelatedFile(role: .image, url: url))
    }
    return files
  }
}

extension Enclosure {
  /// Returns a number of bytes or seconds above zero, without its fraction.
  static func size(_ text: String) -> Int64? {
    let size = Int64(text) ?? Double(text).flatMap { Int64(exactly: $0.rounded(.down)) }
    return size.flatMap { $0 > 0 ? $0 : nil }
  }
}

/// The length of an episode in seconds (`itunes:duration`): `H:MM:SS`, `MM:SS` or seconds.
///
/// A fraction of a second is left out, and so is what stands behind three numbers, as Apple has it.
enum PlayingTime {
  static func seconds(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
    let parts = text.prefix { $0 != UInt8(ascii: ".") }
      .split(separator: UInt8(ascii: ":"), maxSplits: 3, omittingEmptySubsequences: false)
    var seconds = 0
    for part in parts.prefix(3) {
      guard let number = part.decimalValue, number < 10_000_000_000 else { return nil }
      seconds = seconds * 60 + number
    }
    return seconds
  }
}

package import FeedFetching
package import FeedModel
import FeedParsing
import FeedReading
import System

extension PageFetch {
  private static let maximumTranscriptBytes = 8 << 20

  /// Returns the transcripts that feeds name for episodes (`podcast:transcript`).
  package func transcripts(
    of stories: [StoredItem],
    _ cancellation: FetchCancellation,
  ) -> [Result<StoryText, TranscriptError>] {
    let files = stories.map { $0.item.transcript }
    let requests = zip(stories, files).compactMap { story, file in
      file.map { file in
        var request = FetchRequest(part: file.url, of: story, subscriptions)
        (request.maximumBytes, request.content) = (Self.maximumTranscriptBytes, .transcript)
        request.reading = TranscriptReading().job
        return request
      }
    }
    let answers = fetcher.answers(
      to: requests,
      options: options,
      cancellation: cancellation,
      make: Self.transcript,
    )
    var rest = answers[...]
    return files.map { file in
      file == nil ? .failure(.missing) : (rest.popFirst() ?? nil) ?? .failure(.fetch(.cancelled))
    }
  }

  private static func transcript(
    to request: FetchRequest,
    _ outcome: FetchOutcome,
    _ body: ReceivedBody,
  ) -> Result<StoryText, TranscriptError> {
    guard body.head.map(request.content.takes) ?? true else {
      return .failure(.unreadable("it is no text"))
    }
    if case .failed(let error, _) = outcome { return .failure(.fetch(error)) }
    do throws(FeedParsingError) {
      return .success(try TranscriptReading().value(of: body))
    } catch {
      return .failure(.unreadable("\(error)"))
    }
  }
}

package enum TranscriptError: Error, Hashable {
  case missing
  case fetch(FetchError)
  case unreadable(String)
}

extension Item {
  /// The first transcript of a known format, or else the first.
  package var transcript: RelatedFile? {
    let all = related.filter { $0.role == .transcript && SafeLink.isSafe($0.url) }
    let forms = ["vtt", "srt", "subrip", "json", "html", "plain"]
    return all.first { file in forms.contains { file.type?.lowercased().contains($0) ?? false } }
      ?? all.first
  }
}

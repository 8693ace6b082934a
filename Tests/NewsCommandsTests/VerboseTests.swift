import FeedFetching
import FeedModel
import FeedStorage
import Testing

@testable import NewsCommands

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("-v tells of each request, -q silences talk")
struct VerboseTests {
  private let news: CommandRun

  init() throws {
    news = try CommandRun()
    let page = FakeFetcher.Page(body: Sample.rss("Example", ["one"]), etag: "\"1\"")
    news.fetcher.serve(Sample.feed, page)
    news("subscribe", Sample.feed, "--no-check")
  }

  private func change(_ change: @escaping (inout Subscription) -> Void) throws {
    try news.store.update { library throws(StorageError) in
      var subscriptions = library.subscriptions
      change(&subscriptions[0])
      return (LibraryChange(subscriptions: subscriptions), ())
    }
  }

  @Test("status, bytes and time, whether it was asked for all of it, and what came of it")
  func requests() throws {
    let first = news("refresh", "-v").errors
    #expect(first.hasPrefix("\(Sample.feed): 200, 0 bytes, 0.000 s, asked for all of it\n"))
    #expect(first.contains("\(Sample.feed): newData, 1 new, 1 stored, 0 updated; "))
    #expect(first.contains("; asked because all feeds were; due in "))
    let second = news("refresh", "-v").errors
    #expect(
      second.hasPrefix("\(Sample.feed): 304 not modified, 0 bytes, 0.000 s, asked if changed\n")
    )
  }

  @Test("why a feed failed, in the line of its request")
  func failure() {
    news.fetcher.serve(Sample.feed, FakeFetcher.Page(error: .nameUnknown(host: "example.com")))
    let line = news("refresh", "-v").errors.split(separator: "\n").first ?? ""
    #expect(line.hasPrefix("\(Sample.feed): asked for all of it; "))
    #expect(line.hasSuffix("example.com"))
  }

  @Test("feeds of a host that wants peace are told in one line, and when they are next")
  func busyHost() throws {
    let urls = (1...3).map { "https://example.com/\($0)" }
    for url in urls { news("subscribe", url, "--no-check") }
    try news.store.update { _ throws(StorageError) in
      let until = Date(timeIntervalSince1970: 1_793_534_400 + 600)
      return (LibraryChange(hosts: ["example.com": until]), ())
    }
    #expect(
      news("fetch").errors
        == "news: example.com asked to wait until 12:10: 4 feeds were not asked\n"
    )
    news("unsubscribe", Sample.feed, urls[1], urls[2])
    #expect(
      news("fetch").errors == "news: \(urls[0]): its server asked to wait until 12:10\n"
    )
    news.useTerminal(80, variables: ["NO_COLOR": "1"])
    #expect(news("feeds").output.split(separator: "\n")[1].hasSuffix("never  in 10 min"))
  }

  @Test("why a feed was not asked: not due, its host wants peace, gone")
  func unasked() throws {
    news("refresh")
    let due = news("fetch", "--due", "-v").errors
    #expect(due.hasPrefix("\(Sample.feed): not asked, not due before "))
    try news.store.update { _ throws(StorageError) in
      let until = Date(timeIntervalSince1970: 1_793_534_400 + 600)
      return (LibraryChange(hosts: ["example.com": until]), ())
    }
    #expect(
      news("fetch", "--due", "-v").errors
        == "\(Sample.feed): not asked, its server asked to wait until 12:10\n"
    )
    try change { $0.state.isGone = true }
    #expect(
      news("fetch", "-v").errors
        == "\(Sample.feed): not asked, its server said that it is gone for good (410)\n"
    )
  }

  @Test("why a feed was asked: all were, it was named, it was due")
  func asked() throws {
    #expect(news("fetch", "--due", "-v").errors.contains("; asked because it never was before"))
    #expect(news("refresh", "example", "-v").errors.contains("; asked because it was named"))
    try change { $0.state.nextDue = Date(timeIntervalSince1970: 1_793_534_400 - 600) }
    #expect(news("fetch", "--due", "-v").errors.contains("; asked because it was due at 11:50"))
    #expect(news("fetch", "-v").errors.contains("; asked because all feeds were"))
  }

  @Test("where a redirect led")
  func redirects() {
    var response = FetchResponse(status: 200, url: "https://example.com/new")
    let request = FetchRequest(url: "https://user:secret@example.com/old")
    #expect(
      TellingFetcher.line(request, .content(response))
        == "https://***@example.com/old: 200, 0 bytes, 0.000 s, asked for all of it; "
        + "redirected to https://example.com/new"
    )
    response.permanentURL = "https://user:secret@example.com/new"
    #expect(TellingFetcher.line(request, .content(response)).contains("redirected for good to"))
    response = FetchResponse(status: 200, url: "https://example.com/old")
    #expect(!TellingFetcher.line(request, .content(response)).contains("redirected"))
  }

  @Test("subscribe and parse tell of their requests, too")
  func others() {
    #expect(news("parse", Sample.feed, "-v").errors.hasPrefix("\(Sample.feed): 200, "))
    news("unsubscribe", Sample.feed)
    #expect(news("subscribe", Sample.feed, "-v").errors.hasPrefix("\(Sample.feed): 200, "))
  }

  @Test("with -q nothing is said, with or without -v, but errors are")
  func quiet() throws {
    for words in [
      ["subscribe", Sample.feed, "-q"], ["refresh", "-qv"], ["fetch", "--due", "-qv"],
      ["read", "1", "-q"], ["star", "1", "-q"], ["parse", "-qv", Sample.feed],
      ["clear", "--yes", "-q"], ["list", "-q"], ["doctor", "--offline", "-q"],
      ["unsubscribe", Sample.feed, "-q"], ["man", "-q"], ["completions", "bash", "-q"],
    ] {
      #expect(news.run(words).errors == "", "\(words)")
    }
    news.fetcher.serve(Sample.feed, FakeFetcher.Page(error: .status(500)))
    news("subscribe", Sample.feed, "--no-check")
    #expect(news("refresh", "-q").errors.hasPrefix("news: \(Sample.feed): "))
  }
}

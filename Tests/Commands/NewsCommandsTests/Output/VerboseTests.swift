import FeedFetching
import FeedModel
import FeedStorage
import TestSupport
import Testing

@testable import CommandLine
@testable import CommandSupport

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
    try news.store.update { library in
      var subscriptions = library.subscriptions
      change(&subscriptions[0])
      return (LibraryChange(subscriptions: subscriptions), ())
    }
  }

  @Test("status, bytes and time, whether it was asked for all of it, and what came of it")
  func requests() throws {
    let first = news("refresh", "-v").errors
    #expect(first.hasPrefix("\(Sample.feed): 200, 0 bytes, 0.000 s, asked for all of it\n"))
    #expect(first.contains("\(Sample.feed): 1 new, 1 stored, 0 updated; "))
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
    try news.hold("https://example.com")
    let wish = "https://example.com asked to wait until 12:10 (429)"
    let all = news("fetch")
    #expect(
      all.errors == "news: \(wish): 4 feeds were not asked; to insist: `news refresh --force`\n"
    )
    #expect(
      all.output.hasPrefix("noData: 0 new in 0 of 0 feeds, 4 asked to wait by their servers, ")
    )
    #expect(news("fetch", "--due").errors == "")
    news("unsubscribe", "--yes", Sample.feed, urls[1], urls[2])
    let named = news("refresh", urls[0])
    #expect(
      named.errors == "news: \(wish): \(urls[0]) was not asked; "
        + "to insist: `news refresh --force \(urls[0])`\n"
    )
    #expect(named.status == 0)
    #expect(news.fetcher.requests.isEmpty)
    let json = news("feeds", "--json").output
    #expect(
      json.contains(
        #""retryAfter":"2026-11-01T12:10:00Z","retryAfterServer":"https://example.com""#
      )
    )
    news.useTerminal(80, variables: ["NO_COLOR": "1"])
    let table = news("feeds").output.split(separator: "\n")
    #expect(table[1].hasSuffix("never  in 10 min"))
    #expect(table[2] == "  \(wish)")
  }

  @Test("who insists asks a server that is held, and a success ends the wait")
  func insisting() throws {
    try news.hold("https://example.com")
    #expect(news("refresh", "--force").output.contains("one"))
    #expect(try news.store.read().retryTimes.isEmpty)
  }

  @Test("a feed that is gone is told again, and by the status when nothing else was asked")
  func gone() throws {
    news.fetcher.serve(Sample.feed, FakeFetcher.Page(error: .status(410)))
    #expect(news("refresh").status == 1)
    let again = news("refresh")
    #expect(again.status == 1)
    #expect(
      again.errors == "news: \(Sample.feed): not asked, its server said that it is gone for good "
        + "(410); to leave it: `news unsubscribe \(Sample.feed)`\n"
    )
    #expect(news("fetch").output.hasPrefix("noData: 0 new in 0 of 0 feeds, 1 gone, "))
    news.fetcher.serve(Sample.other, FakeFetcher.Page(body: Sample.rss("Other", ["two"])))
    news("subscribe", Sample.other, "--no-check")
    #expect(news("refresh").status == 0)
  }

  @Test("why a feed was not asked: not due, its host wants peace, gone")
  func unasked() throws {
    news("refresh")
    let due = news("fetch", "--due", "-v").errors
    #expect(due.hasPrefix("\(Sample.feed): not asked, not due before "))
    #expect(news("fetch", "--due").output.hasPrefix("noData: 0 new in 0 of 0 feeds, 1 not due, "))
    #expect(news("refresh", "--due") == CommandResult(output: "", errors: "", status: 0))
    news.useTerminal(80)
    #expect(news("refresh", "--due").errors == "no feed is due\n")
    news.terminal = TerminalFacts()
    try news.hold("https://example.com")
    #expect(
      news("fetch", "--due", "-v").errors
        == "\(Sample.feed): not asked, https://example.com asked to wait until 12:10 (429)\n"
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
      LoggingFetcher.line(request, .content(response))
        == "https://***@example.com/old: 200, 0 bytes, 0.000 s, asked for all of it; "
        + "redirected to https://example.com/new"
    )
    response.permanentURL = "https://user:secret@example.com/new"
    #expect(LoggingFetcher.line(request, .content(response)).contains("redirected for good to"))
    response = FetchResponse(status: 200, url: "https://example.com/old")
    #expect(!LoggingFetcher.line(request, .content(response)).contains("redirected"))
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

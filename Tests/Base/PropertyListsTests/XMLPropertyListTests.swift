import PropertyLists
import Testing

@Suite("An XML property list")
struct XMLPropertyListTests {
  private func decoded(_ text: String) throws -> PropertyListValue {
    try PropertyList.value(PropertyListBytes(Array(text.utf8)))
  }

  @Test(
    "is read value for value",
    arguments: [
      ("<string>a &lt;b&gt; &amp;amp; &#65;&#x1F5DE;</string>", .string("a <b> &amp; A🗞")),
      ("<string><![CDATA[<&]]>x<!-- no --></string>", .string("<&x")),
      ("<string/>", .string("")), ("<string></string>", .string("")),
      ("<integer> -12 </integer>", .integer(-12)), ("<integer>0x1F</integer>", .integer(31)),
      ("<integer>-0x1F</integer>", .integer(-31)), ("<integer>+7</integer>", .integer(7)),
      ("<integer>0xFFFFFFFFFFFFFFFF</integer>", .unsigned(.max)),
      ("<integer>18446744073709551615</integer>", .unsigned(.max)),
      ("<real>1.5e3</real>", .real(1_500)), ("<true/>", .boolean(true)),
      ("<false></false>", .boolean(false)),
      ("<date>2001-01-01T00:00:01Z</date>", .date(1)),
      ("<date>1970-01-01T00:00:00Z</date>", .date(-978_307_200)),
      ("<data>\n  AAEC\n /w==\n</data>", .data([0, 1, 2, 255])),
      ("<array><true/> <array/></array>", .array([.boolean(true), .array([])])),
      ("<dict><key>k</key><string>v</string></dict>", .dictionary(["k": .string("v")])),
      ("<dict/>", .dictionary([:])),
    ] as [(String, PropertyListValue)],
  )
  func values(xml: String, value: PropertyListValue) throws {
    let head = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <!-- made by hand --><plist version="1.0">
      """
    #expect(try decoded(head + xml + "\n</plist>\n") == value)
    #expect(try decoded("\u{FEFF}<plist>\(xml)</plist>") == value)
  }

  @Test(
    "that is wrong is an error that says where",
    arguments: [
      (
        "<plist>\n<integer>x</integer></plist>",
        PropertyListError.malformedXML("<integer> holds no integer", line: 2),
      ),
      (
        "<plist><integer>-+1</integer></plist>",
        .malformedXML("<integer> holds no integer", line: 1),
      ),
      (
        "<plist>\n\n<dict><string>x</string></dict></plist>",
        .malformedXML("<string> in place of a key", line: 3),
      ),
      ("<plist><array><true/>", .malformedXML("</array> is missing", line: 1)),
      ("<plist><array></dict></plist>", .malformedXML("</dict> ends an array", line: 1)),
      (
        "<plist><string>a&nope;b</string></plist>", .malformedXML("an unknown reference", line: 1),
      ),
      ("<plist><string>a", .malformedXML("</string> is missing", line: 1)),
      ("<plist><foo/></plist>", .malformedXML("<foo> is no property-list element", line: 1)),
      ("<plist></plist>", .malformedXML("the list is empty", line: 1)),
      (
        "<plist><date>2001-13-01T00:00:00Z</date></plist>",
        .malformedXML("<date> holds no date", line: 1),
      ),
      (
        "<!DOCTYPE plist [<!ENTITY a \"b\">]><plist><true/></plist>",
        .malformedXML("declarations in the DOCTYPE are refused", line: 1),
      ),
      ("<html></html>", .unrecognized), ("{}", .unrecognized), ("", .empty),
    ],
  )
  func errors(xml: String, error: PropertyListError) {
    #expect(throws: error) { try decoded(xml) }
  }
}

@Suite("An XML property list of 26 MB")
struct LargeXMLPropertyListTests {
  @Test("is read whole, and in seconds even by a debug build")
  func large() throws {
    let story = """
      <dict><key>title</key><string>A &amp; B, and what else there was to say of it</string>
      <key>link</key><string>https://www.example.org/article/a-story-of-some-length</string>
      <key>feeds</key><array><string>https://www.example.org/feed</string></array></dict>

      """
    let count = 26_000_000 / story.utf8.count
    let text = "<plist><array>" + String(repeating: story, count: count) + "</array></plist>"
    let duration = try ContinuousClock().measure {
      let value = try PropertyList.value(PropertyListBytes(Array(text.utf8)))
      #expect(value.array?.count == count)
    }
    print("XML property list: \(text.utf8.count) bytes in \(duration)")
  }
}

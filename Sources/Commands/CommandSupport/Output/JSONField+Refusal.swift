package import CommandLine
package import FeedModel

extension JSONField {
  package static func refusal(
    _ refusal: @escaping @Sendable (Subject) -> ServerRefusal
  ) -> [JSONField] {
    [
      JSONField("reason", "what the server said") { .text(SafeText.line(refusal($0).reason)) },
      JSONField("times", "how many times it has refused it") { .integer(refusal($0).times) },
      JSONField("next", "when it is sent again") { .date(refusal($0).next) },
    ]
  }
}

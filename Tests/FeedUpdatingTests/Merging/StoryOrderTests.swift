import FeedModel
import FeedStorage
import Testing

@testable import FeedUpdating

@Suite("StoryOrder: newest first, among equals as in the document")
struct StoryOrderTests {
  /// A new story, by the number that tells of it.
  private struct New {
    let number: Int
    let instant: Double
    var anchor: Int32 = -1
  }

  private func edits(
    _ instants: [Double],
    new: [New] = [],
    removed: [Int] = [],
    changed: [Int] = [],
    moved: [Int: Double] = [:],
  ) -> [ItemEdit] {
    var order = StoryOrder(count: instants.count)
    for position in changed { order.change(position, to: .adjust(position, ItemAdjustment())) }
    for position in removed { order.remove(position) }
    for (position, instant) in moved {
      order.move(position, to: Placement(instant: instant, anchor: -1, sequence: 0))
    }
    for (sequence, story) in new.enumerated() {
      let placement = Placement(
        instant: story.instant,
        anchor: story.anchor,
        sequence: Int32(sequence),
      )
      order.place(.insertNumber(story.number), at: placement)
    }
    return order.edits(instants)
  }

  @Test("what stays is one run")
  func unchanged() {
    #expect(StoryOrder(count: 3).isUnchanged)
    #expect(edits([9, 8, 7]) == [.keep(0..<3)])
    #expect(edits([]) == [])
  }

  @Test("new stories stand before those that are as old, in their own order")
  func new() {
    let new = [
      New(number: 0, instant: 5), New(number: 1, instant: 8), New(number: 2, instant: 8),
    ]
    #expect(
      edits([9, 8, 8, 7], new: new)
        == [.keep(0..<1), .insertNumber(1), .insertNumber(2), .keep(1..<4), .insertNumber(0)]
    )
  }

  @Test("a new story stands behind the stored one that it follows in its document")
  func anchor() {
    let new = [New(number: 0, instant: 8, anchor: 1), New(number: 1, instant: 8)]
    #expect(
      edits([9, 8, 8], new: new)
        == [.keep(0..<1), .insertNumber(1), .keep(1..<2), .insertNumber(0), .keep(2..<3)]
    )
  }

  @Test("stories that go leave none behind, and those that change stay in their places")
  func removedAndChanged() {
    #expect(
      edits([9, 8, 7, 6], removed: [0, 2], changed: [2, 3])
        == [.keep(1..<2), .adjust(3, ItemAdjustment())]
    )
    #expect(edits([9, 8], removed: [0, 1]) == [])
  }

  @Test("a re-dated story moves, with its change; one that goes does not")
  func moved() {
    #expect(edits([9, 8, 7], moved: [2: 8.5]) == [.keep(0..<1), .keep(2..<3), .keep(1..<2)])
    #expect(
      edits([9, 8, 7], changed: [2], moved: [2: 10])
        == [.adjust(2, ItemAdjustment()), .keep(0..<2)]
    )
    #expect(edits([9, 8, 7], removed: [2], moved: [2: 10]) == [.keep(0..<2)])
  }

  @Test("where something is placed, stories in the wrong place find theirs")
  func misplaced() {
    #expect(
      edits([7, 9, 8], new: [New(number: 0, instant: 1)])
        == [.keep(1..<3), .keep(0..<1), .insertNumber(0)]
    )
  }

  /// A story of a document: one that stays where it is stored, or one that needs a place.
  private enum Passed {
    case stays(Int, Double)
    case needsPlace(Double)
  }

  @Test("in a document, stories of one instant stand behind the stored ones before them")
  func document() {
    var order = DocumentOrder()
    func anchors(_ stories: [Passed]) -> [Int32] {
      order.beginDocument()
      return stories.compactMap { story in
        switch story {
        case .stays(let position, let instant):
          order.pass(position, at: instant)
          return nil
        case .needsPlace(let instant): return order.placement(at: instant).anchor
        }
      }
    }
    #expect(
      anchors([.needsPlace(8), .stays(3, 8), .needsPlace(8), .needsPlace(9)]) == [-1, 3, -1]
    )
    #expect(anchors([.stays(3, 8), .stays(2, 8), .needsPlace(8)]) == [3])
    #expect(anchors([.needsPlace(8)]) == [-1])
    let (first, second) = (order.placement(at: 8), order.placement(at: 8))
    #expect(first.precedes(second) && !second.precedes(first))
    order.beginDocument()
    #expect(second.precedes(order.placement(at: 8)))
    #expect(order.placement(at: 9).precedes(first))
  }
}

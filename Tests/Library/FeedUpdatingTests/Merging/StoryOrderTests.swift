import Testing

@testable import FeedLibrary
@testable import FeedStorage

@Suite("StoryOrder: newest first, among equals as in the document")
struct StoryOrderTests {
  private struct New {
    let number: Int
    let instant: Double
    var anchor: Int32 = -1
  }

  private func order(
    _ instants: [Double],
    new: [New] = [],
    removed: [Int] = [],
    changed: [Int] = [],
    moved: [Int: Double] = [:],
  ) -> [PlacedStory] {
    var order = StoryOrder(count: instants.count)
    for position in changed { order.changes.adjusted[position] = ItemAdjustment() }
    order.changes.removed = Set(removed)
    for (position, instant) in moved {
      order.move(position, to: Placement(instant: instant, anchor: -1, sequence: 0))
    }
    for (sequence, story) in new.enumerated() {
      let placement = Placement(
        instant: story.instant,
        anchor: story.anchor,
        sequence: Int32(sequence),
      )
      order.place(.made(story.number), at: placement)
    }
    return order.ordered(instants).order(of: instants.count)
  }

  @Test("stored stories stay in their order")
  func unchanged() {
    #expect(StoryOrder(count: 3).isUnchanged)
    #expect(order([9, 8, 7]) == [.stored(0), .stored(1), .stored(2)])
    #expect(order([]) == [])
  }

  @Test("new stories stand before those that are as old, in their own order")
  func new() {
    let new = [
      New(number: 0, instant: 5), New(number: 1, instant: 8), New(number: 2, instant: 8),
    ]
    #expect(
      order([9, 8, 8, 7], new: new)
        == [.stored(0), .made(1), .made(2), .stored(1), .stored(2), .stored(3), .made(0)]
    )
  }

  @Test("a new story stands behind the stored one that it follows in its document")
  func anchor() {
    let new = [New(number: 0, instant: 8, anchor: 1), New(number: 1, instant: 8)]
    #expect(
      order([9, 8, 8], new: new)
        == [.stored(0), .made(1), .stored(1), .made(0), .stored(2)]
    )
  }

  @Test("stories that go leave none behind, and those that change stay in their places")
  func removedAndChanged() {
    #expect(
      order([9, 8, 7, 6], removed: [0, 2], changed: [2, 3])
        == [.stored(1), .stored(3)]
    )
    #expect(order([9, 8], removed: [0, 1]) == [])
  }

  @Test("a re-dated story moves, with its change; one that goes does not")
  func moved() {
    #expect(order([9, 8, 7], moved: [2: 8.5]) == [.stored(0), .stored(2), .stored(1)])
    #expect(
      order([9, 8, 7], changed: [2], moved: [2: 10])
        == [.stored(2), .stored(0), .stored(1)]
    )
    #expect(order([9, 8, 7], removed: [2], moved: [2: 10]) == [.stored(0), .stored(1)])
  }

  @Test("where something is placed, stories in the wrong place find theirs")
  func misplaced() {
    #expect(
      order([7, 9, 8], new: [New(number: 0, instant: 1)])
        == [.stored(1), .stored(2), .stored(0), .made(0)]
    )
  }

  /// A story of a document: one that stays where it is stored, or one that is placed anew.
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
          order.noteStored(position, at: instant)
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

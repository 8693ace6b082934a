import FeedStorage
import System

/// A story that is put among those of a table.
///
/// PERF: sixteen bytes, for there may be a million.
struct Arrival {
  /// As of when it counts, in seconds since 2001.
  let instant: Double
  /// The story of the table that it comes behind among equal instants; -1 for none.
  let anchor: Int32
  /// Its place in its own table; -1 for a story of this table that stands in the wrong place, which
  /// is then `anchor`.
  let position: Int32

  func precedes(_ other: Arrival) -> Bool {
    if instant != other.instant { return instant > other.instant }
    return (anchor, position) < (other.anchor, other.position)
  }
}

/// Puts arriving stories among those of a table, newest first (design §3, Order).
struct ArrivalOrder {
  /// As of when the stories of the table count; NaN for those that go.
  private var instants: [Double]
  private var arrivals: [Arrival]

  init(_ arrivals: [Arrival], among instants: [Double]) {
    self.arrivals = arrivals
    self.instants = instants
    takeMisplaced()
    let isSorted = self.arrivals.indices.dropFirst().allSatisfy {
      !self.arrivals[$0].precedes(self.arrivals[$0 - 1])
    }
    if !isSorted { self.arrivals.sort { $0.precedes($1) } }
  }

  /// Stories whose date was in the future and has come, or that another program put elsewhere: what
  /// arrives would find the wrong place beside them.
  private mutating func takeMisplaced() {
    var oldest = Double.infinity
    for (position, instant) in instants.enumerated() where !instant.isNaN {
      if instant > oldest {
        arrivals.append(Arrival(instant: instant, anchor: Int32(position), position: -1))
        instants[position] = .nan
      } else {
        oldest = instant
      }
    }
  }

  /// Calls `story` for each story of the table, and `arrival` for each that arrives, in their order.
  func forEach(story: (Int) -> Void, arrival: (Int) -> Void) {
    var next = 0
    func pass(while isNext: (Arrival) -> Bool) {
      while next < arrivals.count, isNext(arrivals[next]) {
        let here = arrivals[next]
        if here.position < 0 { story(Int(here.anchor)) } else { arrival(Int(here.position)) }
        next += 1
      }
    }
    for (position, instant) in instants.enumerated() where !instant.isNaN {
      pass {
        $0.instant == instant ? Int($0.anchor) < position : $0.instant > instant
      }
      story(position)
    }
    pass { _ in true }
  }
}

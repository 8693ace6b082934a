import FeedFetching
import FeedModel
import FeedStorage
import FeedUpdating
import System

// A writer and a reader of a store, for the proofs of what concurrent writers do to it.
//
//   StoreProbe add HOME NAME SAVES STORIES   saves so often, so many stories each time in front of
//                                            what is there, and says so after each save
//   StoreProbe list HOME                     prints the links of all stories
//   StoreProbe refresh HOME MILLISECONDS     asks all feeds, and saves what has come so often; prints
//                                            the outcome, and how many stories are new
//   StoreProbe damage HOME NAME ROUNDS       damages a good file of the store in every place, and
//                                            so often by chance; reads what is there (Damage.swift)
//   StoreProbe confined HOME FOLDER          gives its rights away as a command does that reads what
//                                            strangers wrote into FOLDER, tries things (Attempts.swift)
//   StoreProbe caged offline LIBRARY NAME…   has a library try things in a cage (Cage.swift); or online
let arguments = CommandLine.arguments
let store = LibraryStore(home: arguments.count > 2 ? arguments[2] : "")

func add(_ name: String, saves: Int, stories: Int) throws {
  // Without the lock, or the reading under it, saves would build on this state.
  _ = try store.read()
  for save in 0..<saves {
    let new = (0..<stories).map { number in
      let link = "\(name)-\(save)-\(number)"
      return StoredItem(id: link, item: Item(title: "T", link: link), feeds: [], stored: nil)
    }
    try store.update(waitAtMost: .seconds(600)) { (_) in
      (LibraryChange(StoryChanges(adding: new)), ())
    }
    print("saved \(name)-\(save)")
  }
}

func list() throws {
  let items = try store.read().items
  for index in 0..<items.count { print(try items.story(at: index).string(.link) ?? "") }
}

func refresh(every milliseconds: Int) {
  var options = RefreshOptions(command: "refresh")
  options.savingInterval = .milliseconds(milliseconds)
  let report = Refresher(store: store, fetcher: SourceFetcher()).run(options)
  print(report.storageError ?? "\(report.outcome) \(report.new)")
}

switch arguments.dropFirst().first {
case "add" where arguments.count == 6:
  try add(arguments[3], saves: Int(arguments[4]) ?? 0, stories: Int(arguments[5]) ?? 0)
case "list" where arguments.count == 3:
  try list()
case "refresh" where arguments.count == 4:
  refresh(every: Int(arguments[3]) ?? 0)
case "damage" where arguments.count == 5:
  var damage = try Damage(store, file: arguments[3])
  try damage.run(rounds: Int(arguments[4]) ?? 0)
case "confined" where arguments.count == 4:
  Attempts(home: arguments[2], folder: arguments[3]).run()
case "caged" where arguments.count >= 4:
  let cage: Confinement.Cage = arguments[2] == "online" ? .online : .offline
  CageProbe(cage: cage, library: arguments[3]).run(Array(arguments[4...]))
default:
  print("usage: StoreProbe add HOME NAME SAVES STORIES | list HOME | damage HOME NAME ROUNDS")
  print("       StoreProbe refresh HOME MILLISECONDS")
}

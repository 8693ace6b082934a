// swift-tools-version: 6.2

import Foundation
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

/// Optimizing the tests would take longer than it saves when they run.
///
/// Their files are compiled in batches, on as many processors as there are.
let testSettings =
  settings + [
    .unsafeFlags(
      ["-Onone", "-no-whole-module-optimization", "-enable-batch-mode"],
      .when(configuration: .release),
    )
  ]

let warnings: [CSetting] = [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])]

/// The commit for `news --version`: that of the environment, or else the file in which git keeps it
/// for the branch that is checked out, such as `refs/heads/main`.
///
/// A commit stored here would be out of date: a manifest is evaluated again only when it changes.
let commitSettings: [CSetting] = {
  let quoted = { (text: String) in "\"\(text.filter { !"\"\\".contains($0) })\"" }
  if let commit = Context.environment["NEWS_COMMIT"] {
    return [.define("NEWS_COMMIT", to: quoted(commit))]
  }
  let head = try? String(contentsOfFile: "\(Context.packageDirectory)/.git/HEAD", encoding: .utf8)
  guard let head, head.hasPrefix("ref: refs/heads/") else { return [] }
  let branch = head.dropFirst(5).prefix { !$0.isNewline }
  return [
    .define("NEWS_BRANCH", to: quoted(String(branch))),
    .define("NEWS_BRANCH_FILE", to: quoted("../../../.git/\(branch)")),
  ]
}()

/// Returns the target of a C library, which is loaded on first use, or of what the system has.
func library(_ name: String, on dependencies: [Target.Dependency] = []) -> Target {
  .target(
    name: name,
    dependencies: dependencies,
    path: "Sources/C/\(name)",
    cSettings: warnings,
  )
}

/// Returns a target of a room, which imports those below it.
func module(
  _ name: String,
  in room: String,
  on dependencies: [Target.Dependency] = [],
) -> Target {
  .target(
    name: name,
    dependencies: dependencies,
    path: "Sources/\(room)/\(name)",
    swiftSettings: settings,
  )
}

/// Returns the test target of a target.
func tests(
  of name: String,
  in room: String,
  with others: [Target.Dependency] = [],
) -> Target {
  .testTarget(
    name: "\(name)Tests",
    dependencies: [.init(stringLiteral: name), "TestSupport"] + others,
    path: "Tests/\(room)/\(name)Tests",
    swiftSettings: testSettings,
  )
}

let package = Package(
  name: "news",
  platforms: [.macOS(.v26)],
  products: [.executable(name: "news", targets: ["news"])],
  targets: [
    // 0: C
    .target(
      name: "CDynamicLibrary",
      path: "Sources/C/CDynamicLibrary",
      cSettings: warnings,
      linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))],
    ),
    library("CDateNames"),
    library("CCrypt", on: ["CDynamicLibrary"]),
    library("CCurl", on: ["CDynamicLibrary"]),
    .target(
      name: "CLibXML2",
      dependencies: ["CDynamicLibrary"],
      path: "Sources/C/CLibXML2",
      // Only its headers are used: as a system library it would be linked.
      cSettings: warnings + [.unsafeFlags(["-iwithsysroot/usr/include/libxml2"])],
    ),
    library("CIDN2", on: ["CDynamicLibrary"]),
    library("CMicroHTTPD", on: ["CDynamicLibrary"]),
    library("CPCRE2", on: ["CDynamicLibrary"]),
    library("CSHA256"),
    library("CSQLite", on: ["CDynamicLibrary"]),
    library("CZlib", on: ["CDynamicLibrary"]),
    library("CArguments"),
    library("CConfinement"),
    .target(
      name: "CVersion",
      path: "Sources/C/CVersion",
      cSettings: warnings + commitSettings,
    ),
    // 0: the C library, the calendar
    module("System", in: "Base", on: ["CConfinement", "CIDN2"]),
    // 1: values and the rules about them; the property-list codec; HTML; compressed bytes
    module("FeedModel", in: "Feeds", on: ["CSHA256", "System"]),
    module("PropertyLists", in: "Base", on: ["System"]),
    module("CommandLine", in: "Base", on: ["System"]),
    module("HTMLParsing", in: "Base", on: ["System"]),
    module("Decompression", in: "Base", on: ["CZlib", "System"]),
    // 2: stories as blocks and lines
    module("HTMLText", in: "Feeds", on: ["CommandLine", "FeedModel", "HTMLParsing", "System"]),
    // 2: one outside thing each
    module(
      "FeedParsing",
      in: "Feeds",
      on: [
        "CDateNames", "CLibXML2", "Decompression", "FeedModel", "HTMLParsing", "HTMLText", "System",
      ],
    ),
    module("FeedStorage", in: "Library", on: ["FeedModel", "PropertyLists", "System"]),
    module("FeedFetching", in: "Feeds", on: ["CCurl", "FeedModel", "System"]),
    // 2: the order of stories, their JSON, what is cleared and undone, when feeds are due
    module(
      "FeedLibrary",
      in: "Library",
      on: [
        "CommandLine", "FeedFetching", "FeedModel", "FeedStorage", "System",
      ],
    ),
    // 2: values from bodies, by the process that reads
    module(
      "FeedReading",
      in: "Feeds",
      on: ["CSQLite", "FeedFetching", "FeedModel", "FeedParsing", "HTMLText", "System"],
    ),
    // 3: the decisions of a refresh, and the pass that carries them out
    module(
      "FeedUpdating",
      in: "Library",
      on: [
        "CommandLine", "FeedFetching", "FeedLibrary", "FeedModel", "FeedParsing", "FeedReading",
        "FeedStorage", "HTMLText", "System",
      ],
    ),
    // 4: the activities with stories, one each
    module(
      "FeedSync",
      in: "Activities",
      on: [
        "CommandLine", "FeedFetching", "FeedLibrary", "FeedModel", "FeedParsing", "FeedReading",
        "FeedStorage", "FeedUpdating", "System",
      ],
    ),
    module(
      "FeedServing",
      in: "Activities",
      on: [
        "CCrypt", "CMicroHTTPD", "CommandLine", "Decompression", "FeedFetching", "FeedLibrary",
        "FeedModel", "FeedParsing", "FeedReading", "FeedStorage", "HTMLParsing", "HTMLText",
        "System",
      ],
    ),
    module(
      "FeedImport",
      in: "Activities",
      on: [
        "CommandLine", "FeedModel", "FeedParsing", "FeedReading", "FeedStorage", "FeedUpdating",
        "System",
      ],
    ),
    module(
      "Publishing",
      in: "Activities",
      on: [
        "CommandLine", "FeedLibrary", "FeedModel", "FeedParsing", "FeedReading", "FeedStorage",
        "HTMLParsing", "HTMLText", "System",
      ],
    ),
    module(
      "Pages",
      in: "Activities",
      on: [
        "FeedFetching", "FeedLibrary", "FeedModel", "FeedParsing", "FeedReading", "FeedStorage",
        "FeedUpdating", "HTMLText", "System",
      ],
    ),
    module(
      "Episodes",
      in: "Activities",
      on: [
        "FeedFetching", "FeedLibrary", "FeedModel", "FeedStorage", "FeedUpdating", "System",
      ],
    ),
    module(
      "Searching",
      in: "Library",
      on: [
        "CPCRE2", "CommandLine", "FeedLibrary", "FeedModel", "FeedStorage", "HTMLText", "System",
      ],
    ),
    // 5: words in, words out
    module(
      "CommandSupport",
      in: "Commands",
      on: [
        "CommandLine", "FeedFetching", "FeedLibrary", "FeedModel", "FeedParsing", "FeedReading",
        "FeedStorage", "HTMLText", "Searching", "System",
      ],
    ),
    module(
      "ReadingCommands",
      in: "Commands",
      on: [
        "CommandLine", "CommandSupport", "Episodes", "FeedFetching", "FeedLibrary", "FeedModel",
        "FeedReading", "FeedStorage", "FeedUpdating", "HTMLText", "Pages", "Searching", "System",
      ],
    ),
    module(
      "FollowingCommands",
      in: "Commands",
      on: [
        "CommandLine", "CommandSupport", "Episodes", "FeedFetching", "FeedImport", "FeedLibrary",
        "FeedModel", "FeedParsing", "FeedReading", "FeedStorage", "FeedSync", "FeedUpdating",
        "HTMLText", "Pages", "Searching", "System",
      ],
    ),
    module(
      "NewsCommands",
      in: "Commands",
      on: [
        "CommandLine", "CommandSupport", "FeedFetching", "FeedImport", "FeedLibrary", "FeedModel",
        "FeedParsing", "FeedReading", "FeedServing", "FeedStorage", "FeedSync", "FeedUpdating",
        "FollowingCommands", "HTMLText", "Publishing", "ReadingCommands", "Searching", "System",
      ],
    ),
    // 6: the process
    .executableTarget(
      name: "news",
      // Only this target sees the commit, and so only it is compiled again when that changes.
      dependencies: ["CArguments", "CVersion", "CommandSupport", "NewsCommands", "System"],
      swiftSettings: settings,
      // Full RELRO: a program that was taken over cannot overwrite what the loader has filled in.
      //
      // No code looks up names in the program: 18,000 fewer, which each start went through.
      linkerSettings: [
        .unsafeFlags(
          ["-Xlinker", "-z", "-Xlinker", "now", "-Xlinker", "--no-export-dynamic"],
          .when(platforms: [.linux]),
        )
      ],
    ),
    .executableTarget(
      name: "ParsingFloor",
      dependencies: ["CLibXML2"],
      path: "Tests/ParsingFloor",
      cSettings: warnings,
    ),
    .executableTarget(
      name: "NewsBenchmark",
      dependencies: [
        "CLibXML2", "CommandLine", "CommandSupport", "FeedLibrary", "FeedModel", "FeedParsing",
        "FeedStorage", "FeedUpdating", "HTMLText", "NewsCommands", "PropertyLists", "System",
        "TestSupport",
      ],
      path: "Tests/Benchmark",
      swiftSettings: settings,
    ),
    // Tests
    .target(
      name: "TestSupport",
      dependencies: ["System"],
      path: "Tests/TestSupport",
      swiftSettings: settings,
    ),
    .systemLibrary(name: "CSeccomp", path: "Tests/C/CSeccomp"),
    tests(
      of: "System",
      in: "Base",
      with: ["CConfinement", .target(name: "CSeccomp", condition: .when(platforms: [.linux]))],
    ),
    tests(of: "FeedModel", in: "Feeds", with: ["System"]),
    tests(of: "PropertyLists", in: "Base", with: ["System"]),
    tests(of: "CommandLine", in: "Base", with: ["System"]),
    tests(of: "HTMLParsing", in: "Base", with: ["FeedParsing", "System"]),
    tests(of: "FeedParsing", in: "Feeds", with: ["FeedModel", "HTMLText", "System"]),
    tests(
      of: "HTMLText",
      in: "Feeds",
      with: ["CommandLine", "FeedModel", "FeedParsing", "HTMLParsing", "System"],
    ),
    tests(of: "FeedStorage", in: "Library", with: ["FeedModel", "PropertyLists", "System"]),
    tests(of: "FeedFetching", in: "Feeds", with: ["FeedModel", "System"]),
    tests(
      of: "FeedReading",
      in: "Feeds",
      with: ["FeedFetching", "FeedModel", "FeedParsing", "HTMLText", "System"],
    ),
    .testTarget(
      name: "NewsBenchmarkTests",
      dependencies: ["NewsBenchmark", "TestSupport"],
      path: "Tests/BenchmarkTests",
      swiftSettings: testSettings,
    ),
    tests(
      of: "FeedLibrary",
      in: "Library",
      with: ["FeedFetching", "FeedModel", "FeedStorage", "System"],
    ),
    tests(
      of: "FeedUpdating",
      in: "Library",
      with: [
        "FeedFetching", "FeedLibrary", "FeedModel", "FeedParsing", "FeedStorage", "PropertyLists",
        "System",
      ],
    ),
    tests(
      of: "FeedSync",
      in: "Activities",
      with: ["FeedModel", "FeedStorage", "FeedUpdating", "System"],
    ),
    tests(
      of: "FeedServing",
      in: "Activities",
      with: ["CommandLine", "Decompression", "FeedModel", "FeedStorage", "System"],
    ),
    tests(of: "Publishing", in: "Activities", with: ["FeedModel", "FeedParsing", "HTMLText"]),
    tests(
      of: "Searching",
      in: "Library",
      with: ["CommandLine", "FeedModel", "FeedStorage", "System"],
    ),
    tests(
      of: "NewsCommands",
      in: "Commands",
      with: [
        "CommandLine", "CommandSupport", "Episodes", "FeedFetching", "FeedImport", "FeedLibrary",
        "FeedModel", "FeedParsing", "FeedReading", "FeedServing", "FeedStorage", "FeedSync",
        "FeedUpdating", "FollowingCommands", "HTMLParsing", "HTMLText", "Pages", "PropertyLists",
        "Publishing", "ReadingCommands", "Searching", "System",
      ],
    ),
    .executableTarget(
      name: "StoreProbe",
      dependencies: [
        "CConfinement", "CommandLine", "CommandSupport", "FeedFetching", "FeedModel", "FeedStorage",
        "FeedUpdating", "NewsCommands", "System", "TestSupport",
      ],
      path: "Tests/StoreProbe",
      swiftSettings: settings,
    ),
    .testTarget(
      name: "StoreProofTests",
      dependencies: ["FeedModel", "FeedStorage", "StoreProbe", "System", "TestSupport", "news"],
      swiftSettings: testSettings,
    ),
    .executableTarget(
      name: "FuzzProbe",
      dependencies: [
        "FeedFetching", "FeedModel", "FeedParsing", "FeedReading", "FeedStorage", "HTMLParsing",
        "HTMLText", "PropertyLists", "System", "TestSupport",
      ],
      path: "Tests/FuzzProbe",
      swiftSettings: settings,
    ),
    .testTarget(
      name: "EndToEndTests",
      dependencies: ["FuzzProbe", "news", "System", "TestSupport"],
      swiftSettings: testSettings,
    ),
  ],
)

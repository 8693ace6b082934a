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

/// Where all else is optimized, tests are not: it takes longer to make them fast than to run them.
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

/// What `news --version` tells of the commit that is built: that of the environment, or else the file
/// where git has it for the branch that is checked out, such as `refs/heads/main`.
///
/// The commit itself would be an old one: a manifest is evaluated anew only where it has changed.
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
    .define("NEWS_BRANCH_FILE", to: quoted("../../.git/\(branch)")),
  ]
}()

/// A library target: its sources, and the targets below it that it imports.
func module(_ name: String, on dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

/// The tests of one target.
func tests(of name: String, with others: [Target.Dependency] = []) -> Target {
  .testTarget(
    name: "\(name)Tests",
    dependencies: [.init(stringLiteral: name), "TestSupport"] + others,
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
      cSettings: warnings,
      linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))],
    ),
    .target(name: "CBrotli", dependencies: ["CDynamicLibrary"], cSettings: warnings),
    .target(name: "CCrypt", dependencies: ["CDynamicLibrary"], cSettings: warnings),
    .target(name: "CCurl", dependencies: ["CDynamicLibrary"], cSettings: warnings),
    .target(
      name: "CLibXML2",
      dependencies: ["CDynamicLibrary"],
      // Its headers only: as a system library it would be linked.
      cSettings: warnings + [.unsafeFlags(["-iwithsysroot/usr/include/libxml2"])],
    ),
    .target(name: "CIDN2", dependencies: ["CDynamicLibrary"], cSettings: warnings),
    .target(name: "CMicroHTTPD", dependencies: ["CDynamicLibrary"], cSettings: warnings),
    .target(name: "CPCRE2", dependencies: ["CDynamicLibrary"], cSettings: warnings),
    .target(name: "CSeccomp", dependencies: ["CDynamicLibrary"], cSettings: warnings),
    .target(name: "CSQLite", dependencies: ["CDynamicLibrary"], cSettings: warnings),
    .target(name: "CZlib", dependencies: ["CDynamicLibrary"], cSettings: warnings),
    .target(name: "CZstd", dependencies: ["CDynamicLibrary"], cSettings: warnings),
    .target(name: "CArguments", cSettings: warnings),
    .target(name: "CConfinement", cSettings: warnings),
    .target(
      name: "CVersion",
      cSettings: warnings + commitSettings,
    ),
    // 0: the C library, the calendar
    module("System", on: ["CConfinement", "CIDN2", "CSeccomp"]),
    // 1: values and the rules about them; the property-list codec; compressed bytes
    module("FeedModel", on: ["System"]),
    module("PropertyLists", on: ["System"]),
    module("CommandLine", on: ["System"]),
    module("Decompression", on: ["CBrotli", "CZlib", "CZstd", "System"]),
    // 2: one outside thing each
    module("FeedParsing", on: ["CLibXML2", "Decompression", "FeedModel", "System"]),
    module("HTMLText", on: ["CommandLine", "FeedModel", "FeedParsing", "System"]),
    module("FeedStorage", on: ["FeedModel", "PropertyLists", "System"]),
    module("FeedFetching", on: ["CCurl", "Decompression", "FeedModel", "System"]),
    // what is made of bodies, by the process that reads
    module("FeedReading", on: ["FeedFetching", "FeedModel", "FeedParsing", "HTMLText", "System"]),
    // 3: what a refresh decides, and the pass that carries it out
    module(
      "FeedUpdating",
      on: [
        "CommandLine", "FeedModel", "FeedParsing", "FeedReading", "FeedStorage", "FeedFetching",
        "HTMLText",
        "System",
      ],
    ),
    // 4: each one thing that people do with stories
    module(
      "FeedSync",
      on: [
        "CommandLine", "FeedUpdating", "FeedModel", "FeedParsing", "FeedStorage", "FeedFetching",
        "System",
      ],
    ),
    module(
      "FeedServing",
      on: [
        "CCrypt", "CMicroHTTPD", "CommandLine", "FeedFetching", "FeedModel", "FeedParsing",
        "FeedStorage", "FeedUpdating", "System",
      ],
    ),
    module(
      "FeedImport",
      on: [
        "CommandLine", "CSQLite", "FeedUpdating", "FeedModel", "FeedParsing", "FeedReading",
        "FeedStorage",
        "System",
      ],
    ),
    module(
      "Publishing",
      on: [
        "CommandLine", "FeedUpdating", "FeedModel", "FeedParsing", "FeedReading", "FeedStorage",
        "HTMLText",
        "System",
      ],
    ),
    module(
      "Episodes",
      on: ["FeedUpdating", "FeedModel", "FeedStorage", "FeedFetching", "System"],
    ),
    module(
      "Searching",
      on: [
        "CommandLine", "CPCRE2", "FeedUpdating", "FeedModel", "FeedParsing", "FeedStorage",
        "HTMLText", "System",
      ],
    ),
    // 5: words in, words out
    .target(
      name: "NewsCommands",
      dependencies: [
        "CommandLine", "Episodes", "FeedFetching", "FeedImport", "FeedModel",
        "FeedParsing", "FeedReading", "FeedServing", "FeedStorage", "FeedSync", "FeedUpdating",
        "HTMLText",
        "Publishing",
        "Searching", "System",
      ],
      path: "Sources",
      sources: ["CommandSupport", "ReadingCommands", "FollowingCommands", "NewsCommands"],
      swiftSettings: settings,
    ),
    // 6: the process
    .executableTarget(
      name: "news",
      // Nothing else sees the commit, to be compiled anew when it changes.
      dependencies: ["CArguments", "CVersion", "NewsCommands", "System"],
      swiftSettings: settings,
      // Full RELRO: what the loader has filled in cannot be overwritten afterwards. Nobody looks up what
      // is in the program: 18,000 names fewer, which each start went through.
      linkerSettings: [
        .unsafeFlags(
          ["-Xlinker", "-z", "-Xlinker", "now", "-Xlinker", "--no-export-dynamic"],
          .when(platforms: [.linux]),
        )
      ],
    ),
    .executableTarget(
      name: "NewsBenchmark",
      dependencies: [
        "CLibXML2", "CommandLine", "FeedModel", "FeedParsing", "FeedStorage", "FeedUpdating",
        "HTMLText",
        "NewsCommands", "PropertyLists", "System", "TestSupport",
      ],
      swiftSettings: settings,
    ),
    // Tests
    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: settings),
    tests(of: "System"),
    tests(of: "FeedModel", with: ["System"]),
    tests(of: "PropertyLists", with: ["System"]),
    tests(of: "CommandLine", with: ["System"]),
    tests(of: "FeedParsing", with: ["FeedModel", "System"]),
    tests(of: "HTMLText", with: ["CommandLine", "FeedModel", "FeedParsing", "System"]),
    tests(of: "FeedStorage", with: ["FeedModel", "PropertyLists", "System"]),
    tests(of: "FeedFetching", with: ["FeedModel", "System"]),
    tests(
      of: "FeedReading",
      with: ["FeedFetching", "FeedModel", "FeedParsing", "HTMLText", "System"],
    ),
    tests(of: "NewsBenchmark"),
    tests(
      of: "FeedUpdating",
      with: ["FeedModel", "FeedParsing", "FeedStorage", "FeedFetching", "PropertyLists", "System"],
    ),
    tests(
      of: "FeedSync",
      with: ["FeedModel", "FeedStorage", "FeedUpdating", "System"],
    ),
    tests(of: "FeedServing", with: ["FeedModel", "FeedStorage", "System"]),
    tests(of: "Publishing", with: ["FeedModel", "FeedParsing", "HTMLText"]),
    tests(
      of: "Searching",
      with: ["CommandLine", "FeedModel", "FeedStorage", "FeedUpdating", "System"],
    ),
    tests(
      of: "NewsCommands",
      with: [
        "CommandLine", "Episodes", "FeedFetching", "FeedImport", "FeedModel", "FeedParsing",
        "FeedServing", "FeedStorage", "FeedSync", "FeedUpdating", "HTMLText", "PropertyLists",
        "Publishing",
        "Searching", "System",
      ],
    ),
    .executableTarget(
      name: "StoreProbe",
      dependencies: [
        "CConfinement", "CommandLine", "FeedFetching", "FeedModel", "FeedStorage", "FeedUpdating",
        "NewsCommands",
        "System", "TestSupport",
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
        "FeedModel", "FeedParsing", "FeedStorage", "HTMLText", "PropertyLists", "System",
        "TestSupport",
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

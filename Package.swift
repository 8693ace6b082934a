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
    .define("NEWS_BRANCH_FILE", to: quoted("../../.git/\(branch)")),
  ]
}()

/// Returns a library target with its sources, and the targets below it that it imports.
func module(_ name: String, on dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

/// Returns the test target of a target.
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
    .target(name: "CCrypt", dependencies: ["CDynamicLibrary"], cSettings: warnings),
    .target(name: "CCurl", dependencies: ["CDynamicLibrary"], cSettings: warnings),
    .target(
      name: "CLibXML2",
      dependencies: ["CDynamicLibrary"],
      // Only its headers are used: as a system library it would be linked.
      cSettings: warnings + [.unsafeFlags(["-iwithsysroot/usr/include/libxml2"])],
    ),
    .target(name: "CIDN2", dependencies: ["CDynamicLibrary"], cSettings: warnings),
    .target(name: "CMicroHTTPD", dependencies: ["CDynamicLibrary"], cSettings: warnings),
    .target(name: "CPCRE2", dependencies: ["CDynamicLibrary"], cSettings: warnings),
    .target(name: "CSeccomp", dependencies: ["CDynamicLibrary"], cSettings: warnings),
    .target(name: "CSQLite", dependencies: ["CDynamicLibrary"], cSettings: warnings),
    .target(name: "CZlib", dependencies: ["CDynamicLibrary"], cSettings: warnings),
    .target(name: "CArguments", cSettings: warnings),
    .target(name: "CConfinement", cSettings: warnings),
    .target(
      name: "CVersion",
      cSettings: warnings + commitSettings,
    ),
    // 0: the C library, the calendar
    module("System", on: ["CConfinement", "CIDN2", "CSeccomp"]),
    // 1: values and the rules about them; the property-list codec; HTML; compressed bytes
    module("FeedModel", on: ["System"]),
    module("PropertyLists", on: ["System"]),
    module("CommandLine", on: ["System"]),
    module("HTMLParsing", on: ["System"]),
    module("Decompression", on: ["CZlib", "System"]),
    // 2: one outside thing each
    module(
      "FeedParsing",
      on: ["CLibXML2", "Decompression", "FeedModel", "HTMLParsing", "System"],
    ),
    module("HTMLText", on: ["CommandLine", "FeedModel", "HTMLParsing", "System"]),
    module("FeedStorage", on: ["FeedModel", "PropertyLists", "System"]),
    module("FeedFetching", on: ["CCurl", "FeedModel", "System"]),
    // 2: the order of stories, their JSON, what is cleared and undone, when feeds are due
    module(
      "FeedLibrary",
      on: [
        "CommandLine", "FeedFetching", "FeedModel", "FeedStorage", "System",
      ],
    ),
    // 2: values from bodies, by the process that reads
    module(
      "FeedReading",
      on: ["CSQLite", "FeedFetching", "FeedModel", "FeedParsing", "HTMLText", "System"],
    ),
    // 3: the decisions of a refresh, and the pass that carries them out
    module(
      "FeedUpdating",
      on: [
        "CommandLine", "FeedFetching", "FeedLibrary", "FeedModel", "FeedParsing", "FeedReading",
        "FeedStorage", "HTMLText", "System",
      ],
    ),
    // 4: the activities with stories, one each
    module(
      "FeedSync",
      on: [
        "CommandLine", "FeedFetching", "FeedLibrary", "FeedModel", "FeedParsing", "FeedReading",
        "FeedStorage", "FeedUpdating", "System",
      ],
    ),
    module(
      "FeedServing",
      on: [
        "CCrypt", "CMicroHTTPD", "CommandLine", "FeedFetching", "FeedLibrary", "FeedModel",
        "FeedParsing", "FeedStorage", "HTMLParsing", "HTMLText", "System",
      ],
    ),
    module(
      "FeedImport",
      on: [
        "CommandLine", "FeedModel", "FeedParsing", "FeedReading", "FeedStorage", "FeedUpdating",
        "System",
      ],
    ),
    module(
      "Publishing",
      on: [
        "CommandLine", "FeedLibrary", "FeedModel", "FeedParsing", "FeedReading", "FeedStorage",
        "HTMLParsing", "HTMLText", "System",
      ],
    ),
    module(
      "Pages",
      on: [
        "FeedFetching", "FeedLibrary", "FeedModel", "FeedParsing", "FeedReading", "FeedStorage",
        "FeedUpdating", "HTMLText", "System",
      ],
    ),
    module(
      "Episodes",
      on: [
        "FeedFetching", "FeedLibrary", "FeedModel", "FeedStorage", "FeedUpdating", "System",
      ],
    ),
    module(
      "Searching",
      on: [
        "CPCRE2", "CommandLine", "FeedLibrary", "FeedModel", "FeedStorage", "HTMLText", "System",
      ],
    ),
    // 5: words in, words out
    module(
      "CommandSupport",
      on: [
        "CommandLine", "FeedFetching", "FeedLibrary", "FeedModel", "FeedParsing", "FeedReading",
        "FeedStorage", "HTMLText", "Searching", "System",
      ],
    ),
    module(
      "ReadingCommands",
      on: [
        "CommandLine", "CommandSupport", "Episodes", "FeedFetching", "FeedLibrary", "FeedModel",
        "FeedReading", "FeedStorage", "FeedUpdating", "HTMLText", "Pages", "Searching", "System",
      ],
    ),
    module(
      "FollowingCommands",
      on: [
        "CommandLine", "CommandSupport", "Episodes", "FeedFetching", "FeedLibrary", "FeedModel",
        "FeedParsing", "FeedReading", "FeedStorage", "FeedSync", "FeedUpdating", "HTMLText",
        "Pages", "Searching", "System",
      ],
    ),
    module(
      "NewsCommands",
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
      name: "NewsBenchmark",
      dependencies: [
        "CLibXML2", "CommandLine", "CommandSupport", "FeedLibrary", "FeedModel", "FeedParsing",
        "FeedStorage", "FeedUpdating", "HTMLText", "NewsCommands", "PropertyLists", "System",
        "TestSupport",
      ],
      swiftSettings: settings,
    ),
    // Tests
    .target(
      name: "TestSupport",
      dependencies: ["System"],
      path: "Tests/TestSupport",
      swiftSettings: settings,
    ),
    tests(of: "System"),
    tests(of: "FeedModel", with: ["System"]),
    tests(of: "PropertyLists", with: ["System"]),
    tests(of: "CommandLine", with: ["System"]),
    tests(of: "HTMLParsing", with: ["FeedParsing", "System"]),
    tests(of: "FeedParsing", with: ["FeedModel", "System"]),
    tests(
      of: "HTMLText",
      with: ["CommandLine", "FeedModel", "FeedParsing", "HTMLParsing", "System"],
    ),
    tests(of: "FeedStorage", with: ["FeedModel", "PropertyLists", "System"]),
    tests(of: "FeedFetching", with: ["FeedModel", "System"]),
    tests(
      of: "FeedReading",
      with: ["FeedFetching", "FeedModel", "FeedParsing", "HTMLText", "System"],
    ),
    tests(of: "NewsBenchmark"),
    tests(of: "FeedLibrary", with: ["FeedFetching", "FeedModel", "FeedStorage", "System"]),
    tests(
      of: "FeedUpdating",
      with: [
        "FeedFetching", "FeedLibrary", "FeedModel", "FeedParsing", "FeedStorage", "PropertyLists",
        "System",
      ],
    ),
    tests(
      of: "FeedSync",
      with: ["FeedModel", "FeedStorage", "FeedUpdating", "System"],
    ),
    tests(of: "FeedServing", with: ["CommandLine", "FeedModel", "FeedStorage", "System"]),
    tests(of: "Publishing", with: ["FeedModel", "FeedParsing", "HTMLText"]),
    tests(
      of: "Searching",
      with: ["CommandLine", "FeedModel", "FeedStorage", "System"],
    ),
    tests(
      of: "NewsCommands",
      with: [
        "CommandLine", "CommandSupport", "Episodes", "FeedFetching", "FeedImport", "FeedLibrary",
        "FeedModel", "FeedParsing", "FeedReading", "FeedServing", "FeedStorage", "FeedSync",
        "FeedUpdating", "FollowingCommands", "HTMLText", "Pages", "PropertyLists", "Publishing",
        "ReadingCommands", "Searching", "System",
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

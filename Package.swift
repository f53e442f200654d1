// swift-tools-version: 6.2
import PackageDescription

/// The language mode of every target: Swift 6 and the features that the next one turns on.
let house: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
]

let package = Package(
  name: "saver",
  products: [
    .executable(name: "saver", targets: ["saver"]),
    .library(name: "SaverCore", targets: ["SaverCore"]),
    .library(name: "SaverKit", targets: ["SaverKit"]),
    .library(name: "SaverCLI", targets: ["SaverCLI"]),
    .library(name: "SaverSQLite", targets: ["SaverSQLite"]),
    .library(name: "SaverLMDB", targets: ["SaverLMDB"]),
    .library(name: "SaverMemory", targets: ["SaverMemory"]),
    .library(name: "SaverTestKit", targets: ["SaverTestKit"]),
  ],
  traits: [
    .default(enabledTraits: ["SQLite", "LMDB"]),
    .trait(name: "SQLite", description: "The SQLite engine (needs libsqlite3)."),
    .trait(name: "LMDB", description: "The LMDB engine (needs liblmdb)."),
  ],
  targets: [
    // MARK: Text

    // No pkgConfig name: libutf8proc.pc carries a flag that the package manager prohibits. The module map links it.
    .systemLibrary(name: "CUTF8Proc", path: "Sources/CUTF8Proc", providers: [.apt(["libutf8proc-dev"])]),
    .target(name: "SaverText", dependencies: ["CUTF8Proc"], swiftSettings: house),

    // MARK: Core, kit, front end

    .systemLibrary(name: "CLinux", path: "Sources/CLinux"),
    .target(name: "SaverCore", dependencies: ["SaverText", "CLinux"], swiftSettings: house),
    .target(name: "SaverKit", dependencies: ["SaverCore"], swiftSettings: house),
    .target(name: "SaverCLI", dependencies: ["SaverKit", "SaverCore", "SaverText"], swiftSettings: house),
    .executableTarget(
      name: "saver",
      dependencies: [
        "SaverCLI", "SaverCore", "SaverMemory",
        .target(name: "SaverSQLite", condition: .when(traits: ["SQLite"])),
        .target(name: "SaverLMDB", condition: .when(traits: ["LMDB"])),
      ],
      swiftSettings: house),

    // MARK: Engines. A target whose trait is off compiles to an empty module.

    .systemLibrary(
      name: "CSQLite", path: "Backends/SQLite/CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .target(
      name: "SaverSQLite",
      dependencies: ["SaverCore", .target(name: "CSQLite", condition: .when(traits: ["SQLite"]))],
      path: "Backends/SQLite/SaverSQLite", swiftSettings: house),
    .systemLibrary(
      name: "CLMDB", path: "Backends/LMDB/CLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"])]),
    .target(
      name: "SaverLMDB",
      dependencies: ["SaverCore", .target(name: "CLMDB", condition: .when(traits: ["LMDB"]))],
      path: "Backends/LMDB/SaverLMDB", swiftSettings: house),
    .target(
      name: "SaverMemory", dependencies: ["SaverCore"], path: "Backends/Memory/SaverMemory", swiftSettings: house),

    // MARK: Tests

    .target(name: "CAllocations", path: "Tests/CAllocations"),
    .target(name: "SaverTestKit", dependencies: ["SaverCore"], swiftSettings: house),
    .testTarget(name: "SaverTextTests", dependencies: ["SaverText"], swiftSettings: house),
    .testTarget(
      name: "SaverCoreTests", dependencies: ["SaverCore", "SaverMemory", "SaverTestKit"], swiftSettings: house),
    .testTarget(
      name: "SaverMemoryTests", dependencies: ["SaverMemory", "SaverCore", "SaverTestKit"], swiftSettings: house),
    .testTarget(
      name: "SaverSQLiteTests",
      dependencies: [
        "SaverCore", "SaverMemory", "SaverTestKit", .target(name: "SaverSQLite", condition: .when(traits: ["SQLite"])),
        .target(name: "CSQLite", condition: .when(traits: ["SQLite"])), "CAllocations",
      ],
      swiftSettings: house),
    .testTarget(
      name: "SaverLMDBTests",
      dependencies: [
        "SaverCore", "SaverMemory", "SaverTestKit", .target(name: "SaverLMDB", condition: .when(traits: ["LMDB"])),
        .target(name: "CLMDB", condition: .when(traits: ["LMDB"])), "CAllocations",
      ],
      swiftSettings: house),
    .testTarget(
      name: "SaverKitTests",
      dependencies: [
        "SaverKit", "SaverCore", "SaverMemory", "saver",
        .target(name: "SaverSQLite", condition: .when(traits: ["SQLite"])),
        .target(name: "SaverLMDB", condition: .when(traits: ["LMDB"])),
      ],
      swiftSettings: house),
    .testTarget(name: "SaverCLITests", dependencies: ["SaverCLI", "saver"], swiftSettings: house),

    // MARK: Tests with several processes

    .target(name: "CSystemFaults", path: "Tests/CSystemFaults"),
    .executableTarget(
      name: "saver-test-child",
      dependencies: [
        "SaverTestKit", "SaverCore", "CSystemFaults",
        .target(name: "SaverSQLite", condition: .when(traits: ["SQLite"])),
        .target(name: "SaverLMDB", condition: .when(traits: ["LMDB"])),
      ],
      path: "Tests/SaverObservationChild", swiftSettings: house),
    .testTarget(
      name: "SaverObservationTests", dependencies: ["SaverTestKit", "SaverCore", "saver-test-child"],
      swiftSettings: house),
    // Faults below the engines happen to a process of their own: this one, or saver itself.
    .executableTarget(
      name: "saver-fault-child",
      dependencies: [
        "SaverKit", "SaverCore", "SaverTestKit", "CSystemFaults",
        .target(name: "SaverSQLite", condition: .when(traits: ["SQLite"])),
        .target(name: "SaverLMDB", condition: .when(traits: ["LMDB"])),
      ],
      path: "Tests/SaverFaultChild", swiftSettings: house),
    .testTarget(
      name: "SaverFaultTests",
      dependencies: [
        "saver-fault-child", "saver", "SaverCLI", "SaverKit", "SaverCore", "SaverTestKit",
        .target(name: "SaverSQLite", condition: .when(traits: ["SQLite"])),
        .target(name: "SaverLMDB", condition: .when(traits: ["LMDB"])),
        .target(name: "CSQLite", condition: .when(traits: ["SQLite"])),
        .target(name: "CLMDB", condition: .when(traits: ["LMDB"])),
      ],
      swiftSettings: house),
  ],
  swiftLanguageModes: [.v6]
)

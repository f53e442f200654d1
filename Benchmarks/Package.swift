// swift-tools-version: 6.2
import PackageDescription

/// The language mode of the main package.
let house: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
]

let package = Package(
  name: "saver-benchmarks",
  dependencies: [.package(name: "saver", path: "..")],
  targets: [
    .target(name: "CFloor", linkerSettings: [.linkedLibrary("sqlite3"), .linkedLibrary("lmdb")]),
    .executableTarget(
      name: "saver-benchmark",
      dependencies: [
        "CFloor",
        .product(name: "SaverCore", package: "saver"),
        .product(name: "SaverKit", package: "saver"),
        .product(name: "SaverSQLite", package: "saver"),
        .product(name: "SaverLMDB", package: "saver"),
      ],
      swiftSettings: house),
  ],
  swiftLanguageModes: [.v6]
)

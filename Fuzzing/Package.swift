// swift-tools-version: 6.2
import PackageDescription

/// The language mode of saver itself.
let house: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
]

// `make fuzz` builds it with -sanitize=fuzzer for all modules: what is measured is what they cover.
let package = Package(
  name: "saver-fuzzing",
  dependencies: [.package(name: "saver", path: "..")],
  targets: [
    .target(name: "CFuzzer", path: "CFuzzer"),
    .executableTarget(
      name: "saver-fuzz",
      dependencies: [
        "CFuzzer",
        .product(name: "SaverCore", package: "saver"),
        .product(name: "SaverKit", package: "saver"),
        .product(name: "SaverCLI", package: "saver"),
        .product(name: "SaverMemory", package: "saver"),
        .product(name: "SaverSQLite", package: "saver"),
        .product(name: "SaverLMDB", package: "saver"),
      ],
      path: "saver-fuzz", swiftSettings: house),
  ],
  swiftLanguageModes: [.v6]
)

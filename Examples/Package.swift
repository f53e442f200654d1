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

func saver(_ names: String...) -> [Target.Dependency] {
  names.map { .product(name: $0, package: "saver") }
}

let package = Package(
  name: "saver-examples",
  dependencies: [.package(name: "saver", path: "..")],
  targets: [
    // MARK: A store that two programs share

    .target(
      name: "SharedStore", dependencies: saver("SaverCore", "SaverSQLite", "SaverLMDB", "SaverKit"),
      path: "ShareSaver/SharedStore", swiftSettings: house),
    .executableTarget(
      name: "share-extension", dependencies: ["SharedStore"] + saver("SaverKit"), path: "ShareSaver/share-extension",
      swiftSettings: house),
    .executableTarget(
      name: "share-app", dependencies: ["SharedStore"] + saver("SaverCore", "SaverKit"),
      path: "ShareSaver/share-app", swiftSettings: house),

    // MARK: Records of one's own

    .executableTarget(
      name: "todo-list", dependencies: saver("SaverCore", "SaverSQLite"), path: "TodoList", swiftSettings: house),

    // MARK: A backend of one's own

    .target(
      name: "JSONFile", dependencies: saver("SaverCore"), path: "JSONFile/JSONFile",
      swiftSettings: house + [.unsafeFlags(["-O"])]),
    .executableTarget(
      name: "json-saver", dependencies: ["JSONFile"] + saver("SaverCore", "SaverCLI"), path: "JSONFile/json-saver",
      swiftSettings: house),
    .executableTarget(
      name: "json-file-check",
      dependencies: ["JSONFile"] + saver("SaverCore", "SaverKit", "SaverTestKit", "SaverMemory"),
      path: "JSONFile/json-file-check", swiftSettings: house),
  ],
  swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "saver-benchmark",
  dependencies: [.package(name: "saver", path: "..")],
  targets: [
    .target(
      name: "CFloor", cSettings: [.unsafeFlags(["-O2"])],
      linkerSettings: [.linkedLibrary("sqlite3"), .linkedLibrary("lmdb")]),
    .executableTarget(
      name: "saver-benchmark",
      dependencies: [
        "CFloor", .product(name: "SaverCore", package: "saver"), .product(name: "SaverKit", package: "saver"),
        .product(name: "SaverSQLite", package: "saver"), .product(name: "SaverLMDB", package: "saver"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)

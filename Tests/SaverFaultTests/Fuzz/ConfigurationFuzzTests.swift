import Foundation
import SaverCore
import SaverMemory
import Testing

@testable import SaverCLI

#if SQLite
import SaverSQLite
#endif
#if LMDB
import SaverLMDB
#endif

extension FaultTests {
  /// Configuration files that are nearly right: an error that names the file, or a configuration; never a crash.
  @Suite struct ConfigurationFuzzTests {
    private static var registry: BackendRegistry {
      var backends: [any StorageBackend.Type] = [MemoryBackend.self]
      #if SQLite
      backends.append(SQLiteBackend.self)
      #endif
      #if LMDB
      backends.append(LMDBBackend.self)
      #endif
      return BackendRegistry(backends)
    }

    private static let samples: [[UInt8]] = {
      let folder = Programs.repository + "/Configs"
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      let written = [
        "{backend: 'sqlite', store: '~/x', busyTimeoutMilliseconds: 5, list: {limit: 5, format: 'json'}}",
        #"{"lmdb": {"mapSizeMaxGiB": 4}, "sqlite": {"synchronous": "full"}, "share": {"duplicates": "bump"}}"#,
        "{history: {keepChanges: 1, keepMiB: 1, keepRows: false,},} // end",
      ]
      return names.sorted().compactMap { FaultFolder.content("\(folder)/\($0)") } + written.map { Array($0.utf8) }
    }()

    @Test func nearlyRight() throws {
      let folder = try FaultFolder()
      let file = folder.path + "/config.json5"
      let seed = Trials.seed()
      var (read, refused) = (0, 0)
      Trials.run("configurations", cases: 2_500, atLeast: 10_000) { number, random in
        var bytes = random.pick(Self.samples)
        bytes =
          random.chance(oneIn: 3)
          ? Mutation.bytes(bytes, &random) : Array(Mutation.text(String(decoding: bytes, as: UTF8.self), &random).utf8)
        do {
          try folder.write(bytes, to: file)
          _ = try ConfigurationFile.read(file, registry: Self.registry)
          read += 1
        } catch let error as ConfigurationError {
          #expect(error.description.hasPrefix(file), "seed \(seed), case \(number): \(error)")
          refused += 1
        } catch {
          Issue.record("seed \(seed), case \(number): \(error)\n\(String(decoding: bytes, as: UTF8.self))")
        }
      }
      print("faults: configurations: \(read) read, \(refused) refused")
      #expect(read > 0 && refused > 0)
    }

    /// Nesting costs a reader its stack if nothing limits it.
    @Test(arguments: ["[", "{a:", "{\"backend\":[", "/*", "//", "'", "-", "\\u0061"], [100, 600, 100_000])
    func deep(piece: String, count: Int) throws {
      let folder = try FaultFolder()
      let file = folder.path + "/config.json5"
      try folder.write(Array(String(repeating: piece, count: count).utf8), to: file)
      #expect(throws: ConfigurationError.self) { try ConfigurationFile.read(file, registry: Self.registry) }
    }
  }
}

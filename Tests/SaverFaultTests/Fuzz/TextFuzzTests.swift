import FoundationEssentials
import SaverCore
import SaverTestKit
import Testing

@testable import SaverCLI
@testable import SaverKit

extension FaultTests {
  /// Everything that people write in one line: never a crash, and what is written can be read back.
  @Suite struct TextFuzzTests {
    // MARK: Command lines

    private static let tool = Tool(
      "saver", abstract: "Fuzzed.", globalOptions: GlobalOptions.all,
      commands: [
        ShareCommand.command, ListCommand.command, ShowCommand.command, EditCommand.command, DeleteCommand.command,
        UndoCommand.command, WatchCommand.command, ChangesCommand.command, ConfigCommand.command, DoctorCommand.command,
      ])

    private static let commandLines = [
      ["share", "--tag", "a", "--title=x", "--", "text"], ["share", "--lines", "-"],
      ["list", "-n5", "--format", "json"],
      ["list", "--sort", "createdAt:desc", "--search", "a b", "--from", "2026-01-02", "--until=3d"],
      ["--store", "x", "list", "--all", "--fields", "id,text"], ["show", "abcd", "--format=json"], ["help", "list"],
      ["edit", "abcd", "--title", "t", "--add-tag", "x"], ["delete", "abcd", "--tag", "x", "--yes"], ["config"],
      ["undo", "--redo"],
      ["watch", "--since", "0", "--items"], ["doctor", "-f", "json"], ["-h"], ["--version"],
      ["--backend=lmdb", "list", "-an", "5"],
    ]

    @Test func commandLines() {
      let seed = Trials.seed()
      var (parsed, refused) = (0, 0)
      Trials.run("command lines", cases: 6_000, atLeast: 20_000) { number, random in
        var line = random.pick(Self.commandLines)
        for _ in 0..<random.pick([1, 1, 2, 4]) {
          let place = random.below(line.count + 1)
          switch random.below(5) {
          case 0 where place < line.count: line[place] = Mutation.text(line[place], &random)
          case 1 where place < line.count: line.remove(at: place)
          case 2: line.insert(Mutation.anyText(&random), at: place)
          case 3: line.insert(random.pick(Self.commandLines.flatMap { $0 }), at: place)
          default: line.shuffle(using: &random)
          }
        }
        do {
          let invocation = try Self.tool.parse(line)
          // Reads every value that the command knows.
          if case .help(let command) = invocation, let command { _ = HelpText(of: Self.tool).commandHelp(command) }
          parsed += 1
        } catch let error as UsageError {
          let text = error.text(tool: "saver")
          #expect(!text.isEmpty, "seed \(seed), case \(number): \(line)")
          refused += 1
        } catch {
          Issue.record("seed \(seed), case \(number): \(line): \(error)")
        }
      }
      print("faults: command lines: \(parsed) understood, \(refused) refused")
      #expect(parsed > 0 && refused > 0)
    }

    // MARK: Tokens and ids

    @Test func tokens() {
      let seed = Trials.seed()
      Trials.run("tokens", cases: 6_000, atLeast: 50_000) { number, random in
        let token = HistoryToken(
          store: UUID(uuid: unsafeBitCast((random.next(), random.next()), to: uuid_t.self)),
          sequence: random.pick([0, 1, Int64.max, Int64(random.next() >> 1), Int64(random.below(1_000))]),
          check: random.pick([0, UInt64.max, random.next()]))
        #expect(HistoryToken(token.description) == token, "seed \(seed), case \(number): \(token)")
        let text = Mutation.text(token.description, &random)
        // One text for each token: what is read is written in the same bytes.
        if let read = HistoryToken(text) {
          #expect(Array(read.description.utf8) == Array(text.utf8), "seed \(seed), case \(number): \(text)")
        }
      }
    }

    @Test func references() {
      let seed = Trials.seed()
      Trials.run("references", cases: 6_000, atLeast: 50_000) { number, random in
        let id = UUID(uuid: unsafeBitCast((random.next(), random.next()), to: uuid_t.self))
        let text = random.chance(oneIn: 2) ? id.hexadecimal : id.hexadecimal.uppercased()
        let length = random.below(33)
        let comment = "seed \(seed), case \(number): \(id.hexadecimal) \(length)"
        let whole = ItemReference(text)
        #expect(whole?.range == id...id && whole?.isEnd(of: id) == true, "\(comment)")
        let digits = id.hexadecimalDigits
        let (start, end) = (ItemReference(String(digits.prefix(length))), ItemReference(String(digits.suffix(length))))
        #expect((start != nil) == (length >= 4) && (end != nil) == (length >= 4), "\(comment)")
        #expect(start?.range.contains(id) ?? true && end?.isEnd(of: id) ?? true, "\(comment)")
        let other = Mutation.text(text, &random)
        if let reference = ItemReference(other) { _ = (reference.range, reference.isEnd(of: id)) }
      }
    }

    // MARK: Dates

    @Test func dates() {
      let seed = Trials.seed()
      let samples = [
        "2026-01-02", "2026-01-02 03:04", "2026-01-02T03:04:05.678Z", "2026-01-02T03:04:05+05:30", "today", "1d 12h",
        "999999999w", "+010000-01-01T00:00:00.000Z", "-000001-12-31T23:59:60Z", "2024-02-29",
      ]
      // Beyond it, a date does not hold milliseconds: in the year 128,000.
      let limit: Int64 = 4_000_000_000_000_000
      Trials.run("dates", cases: 6_000, atLeast: 50_000) { number, random in
        let comment = "seed \(seed), case \(number)"
        let instant = EpochMilliseconds(
          random.pick([
            Int64(bitPattern: random.next()), Int64(bitPattern: random.next()) % limit, Int64.min, Int64.max,
            Int64(random.below(4_000_000_000)) * 1_000,
          ]))
        let text = DateText.rfc3339(instant)
        _ = (DateText.local(instant), DateText.localWithSeconds(instant))
        if (-limit...limit).contains(instant.value) {
          #expect(DateExpression.parse(text, now: instant) == instant, "\(comment): \(text)")
          #expect(EpochMilliseconds(instant.date) == instant, "\(comment): \(text)")
        }
        // Whatever another program has put into a row.
        let date = Date(timeIntervalSince1970: Double(bitPattern: random.next()))
        _ = (DateText.rfc3339(date), DateText.local(date), date.wholeMilliseconds)
        let other = Mutation.text(random.pick(samples + [text]), &random)
        // No clock shows more.
        let now = EpochMilliseconds(instant.value % limit)
        if let read = DateExpression.parse(other, now: now) {
          _ = (DateText.rfc3339(read), DateText.localWithSeconds(read))
        }
      }
    }
  }
}

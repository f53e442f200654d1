import Foundation
import Testing

@testable import SaverCore

/// Every form of `#Predicate` that is lowered: to which filter, and that the filter agrees with Swift's evaluation.
struct LoweringTests {
  @Test func comparisonsOfTexts() throws {
    let word = "alpha"
    try expectLowering(#Predicate { $0.text == word }, #"text == "alpha""#)
    try expectLowering(#Predicate { $0.text != "alpha" }, #"text != "alpha""#)
    try expectLowering(#Predicate { $0.text < word }, #"text < "alpha""#)
    try expectLowering(#Predicate { word < $0.text }, #"text > "alpha""#)
    try expectLowering(#Predicate { $0.text >= "b" }, #"text >= "b""#)
    try expectLowering(#Predicate { "b" >= $0.text }, #"text <= "b""#)
    try expectLowering(#Predicate { $0.text.isEmpty }, #"text == """#)
    try expectLowering(#Predicate { !$0.text.isEmpty }, #"text != """#)
  }

  @Test func comparisonsOfNumbersAndDates() throws {
    let date = Date(timeIntervalSince1970: 100)
    let (base, bytes, id) = (1, Data([1]), Sample.id(2))
    try expectLowering(#Predicate { $0.createdAt > date }, "created_at > date(100.0)")
    try expectLowering(#Predicate { date >= $0.createdAt }, "created_at <= date(100.0)")
    try expectLowering(#Predicate { $0.number > base * 2 + 1 }, "number > 3")
    try expectLowering(#Predicate { 3 - base <= $0.number }, "number >= 2")
    try expectLowering(#Predicate { $0.number == -base }, "number == -1")
    try expectLowering(#Predicate { $0.number == 7 / 2 % 2 + base }, "number == 2")
    try expectLowering(#Predicate { $0.weight < 1.0 / 2.0 }, "weight < 0.5")
    try expectLowering(#Predicate { $0.blob == bytes }, "blob == 1 bytes")
    try expectLowering(#Predicate { $0.id == id }, "id == \(id.hexadecimal)")
    try expectLowering(#Predicate { $0.tags == ["a"] }, #"tags == ["a"]"#)
  }

  @Test func comparisonsWithNil() throws {
    let (some, none): (String?, String?) = ("x", nil)
    try expectLowering(#Predicate { $0.title == nil }, "title == nil")
    try expectLowering(#Predicate { $0.title != nil }, "title != nil")
    try expectLowering(#Predicate { nil == $0.title }, "title == nil")
    try expectLowering(#Predicate { $0.title == "x" }, #"title == "x""#)
    try expectLowering(#Predicate { $0.title != "x" }, #"title != "x""#)
    try expectLowering(#Predicate { $0.title == some }, #"title == "x""#)
    try expectLowering(#Predicate { $0.title == none }, "title == nil")
    try expectLowering(#Predicate { $0.title != none }, "title != nil")
  }

  @Test func comparisonsOfTwoFields() throws {
    try expectLowering(#Predicate { $0.number == $0.number }, "number == number")
    try expectLowering(#Predicate { $0.kind.rawValue < $0.text }, "kind < text")
    try expectLowering(#Predicate { $0.rank == $0.rank }, "rank == rank")
    try expectLowering(#Predicate { $0.rank != $0.rank }, "rank != rank")
    try expectLowering(
      #Predicate { ($0.rank ?? 0) > $0.number }, "((rank != nil and rank > number) or (rank == nil and number < 0))")
  }

  @Test func booleans() throws {
    try expectLowering(#Predicate { $0.isDone }, "is_done == true")
    try expectLowering(#Predicate { !$0.isDone }, "is_done == false")
    try expectLowering(#Predicate { $0.isDone == true }, "is_done == true")
    try expectLowering(#Predicate { $0.isDone != true }, "is_done != true")
    try expectLowering(#Predicate { $0.isStarred ?? false }, "is_starred == true")
    try expectLowering(#Predicate { $0.isStarred ?? true }, "(is_starred == nil or is_starred == true)")
    try expectLowering(#Predicate { !($0.isStarred ?? false) }, "(is_starred == nil or is_starred == false)")
    try expectLowering(#Predicate { $0.isStarred == nil }, "is_starred == nil")
    try expectLowering(#Predicate { $0.isStarred != true }, "is_starred != true")
    try expectLowering(#Predicate { ($0.number > 3) == true }, "number > 3")
    try expectLowering(#Predicate { ($0.number > 3) == false }, "not(number > 3)")
    try expectLowering(#Predicate { ($0.number > 3) != true }, "not(number > 3)")
    try expectLowering(
      #Predicate { ($0.number > 3) == $0.isDone },
      "((number > 3 and is_done == true) or (not(number > 3) and is_done == false))")
  }

  @Test func logic() throws {
    try expectLowering(
      #Predicate { $0.isDone && $0.number > 1 && $0.text == "b" }, #"(is_done == true and number > 1 and text == "b")"#)
    try expectLowering(
      #Predicate { $0.isDone || $0.number > 1 || $0.text == "b" }, #"(is_done == true or number > 1 or text == "b")"#)
    try expectLowering(
      #Predicate { $0.isDone && ($0.number > 1 || $0.text == "b") },
      #"(is_done == true and (number > 1 or text == "b"))"#)
    try expectLowering(
      #Predicate { !($0.isDone && $0.number > 1) }, "not((is_done == true and number > 1))")
    try expectLowering(#Predicate { !($0.number == 1) }, "number != 1")
    try expectLowering(#Predicate { !(!$0.isDone) }, "is_done != false")
  }

  @Test func conditionals() throws {
    let flag = true
    try expectLowering(
      #Predicate { $0.isDone ? $0.number > 3 : $0.text == "b" },
      #"((is_done == true and number > 3) or (is_done != true and text == "b"))"#)
    try expectLowering(
      #Predicate {
        if $0.isDone { $0.number > 3 } else { false }
      }, "(is_done == true and number > 3)")
    try expectLowering(#Predicate { $0.isDone ? true : $0.number > 3 }, "(is_done == true or number > 3)")
    try expectLowering(#Predicate { $0.isDone ? false : $0.number > 3 }, "(is_done != true and number > 3)")
    try expectLowering(#Predicate { $0.isDone ? $0.number > 3 : true }, "(is_done != true or number > 3)")
    try expectLowering(#Predicate { flag ? $0.isDone : $0.number > 3 }, "is_done == true")
    try expectLowering(
      #Predicate { ($0.isDone ? $0.number : 5) > 3 }, "(is_done != true or number > 3)")
    try expectLowering(
      #Predicate { ($0.isDone ? "a" : "b") == $0.text },
      #"((is_done == true and text == "a") or (is_done != true and text == "b"))"#)
  }

  @Test func constantsAreFolded() throws {
    let (words, empty, flag) = (["alpha", "b"], [String](), false)
    let (some, none): (Int?, Int?) = (3, nil)
    let range = 1...3
    try expectLowering(#Predicate<Sample> { _ in true }, "true")
    try expectLowering(#Predicate { $0.text == words[0] }, #"text == "alpha""#)
    try expectLowering(#Predicate { $0.text.contains("b") && words.contains("b") }, #"text contains "b""#)
    try expectLowering(#Predicate { flag && $0.isDone }, "false")
    try expectLowering(#Predicate { $0.isDone && flag }, "false")
    try expectLowering(#Predicate { !flag || $0.isDone }, "true")
    try expectLowering(#Predicate { flag || $0.isDone }, "is_done == true")
    try expectLowering(#Predicate { $0.number == some! }, "number == 3")
    try expectLowering(#Predicate { $0.number == (none ?? 7) }, "number == 7")
    try expectLowering(#Predicate { none != nil && $0.number == none! }, "false")
    try expectLowering(#Predicate { $0.isDone && none != nil && $0.number == none! }, "false")
    try expectLowering(#Predicate { none == nil || $0.number == none! }, "true")
    try expectLowering(#Predicate { $0.number == words.count }, "number == 2")
    try expectLowering(#Predicate { $0.isDone && words.contains { $0 == "b" } }, "is_done == true")
    try expectLowering(#Predicate { $0.number == words.filter { $0 != "b" }.count }, "number == 1")
    try expectLowering(#Predicate { empty.isEmpty || empty.contains($0.text) }, "true")
    try expectLowering(#Predicate { $0.isDone == range.contains(2) }, "is_done == true")
    try expectLowering(#Predicate { $0.text.isEmpty && words[0].starts(with: "al") }, #"text == """#)
  }

  @Test func membersOfCapturedValuesAreFolded() throws {
    let sample = Sample.all[1]
    let title = sample.title
    try expectLowering(
      #Predicate { $0.text == sample.text && $0.title == title }, #"(text == "alpha" and title == "x")"#)
    try expectLowering(#Predicate { $0.kind == sample.kind }, #"kind == "link""#)
  }

  @Test func lists() throws {
    try expectLowering(#Predicate { $0.tags.contains("a") }, #"tags hasElement "a""#)
    try expectLowering(#Predicate { !$0.tags.contains("a") }, #"not(tags hasElement "a")"#)
    try expectLowering(#Predicate { $0.labels?.contains("a") == true }, #"labels hasElement "a""#)
    try expectLowering(#Predicate { $0.labels?.contains("a") != true }, #"not(labels hasElement "a")"#)
    try expectLowering(#Predicate { $0.tags.isEmpty }, "count(tags) == 0")
    try expectLowering(#Predicate { !$0.tags.isEmpty }, "count(tags) != 0")
    try expectLowering(#Predicate { $0.labels?.isEmpty == false }, "(labels != nil and count(labels) != 0)")
    try expectLowering(#Predicate { ($0.labels ?? []).isEmpty }, "(labels == nil or count(labels) == 0)")
    try expectLowering(#Predicate { ($0.labels ?? ["a"]).contains("a") }, #"(labels == nil or labels hasElement "a")"#)
  }

  @Test func counts() throws {
    let limit = 2
    try expectLowering(#Predicate { $0.tags.count > limit }, "count(tags) > 2")
    try expectLowering(#Predicate { limit <= $0.tags.count }, "count(tags) >= 2")
    try expectLowering(#Predicate { $0.text.count > 3 }, "count(text) > 3")
    try expectLowering(#Predicate { $0.blob.count == 3 }, "count(blob) == 3")
    try expectLowering(#Predicate { $0.blob.isEmpty }, "count(blob) == 0")
    try expectLowering(#Predicate { $0.title?.count == 1 }, "count(title) == 1")
    try expectLowering(#Predicate { $0.title?.count != 1 }, "count(title) != 1")
    try expectLowering(#Predicate { $0.title?.count == nil }, "title == nil")
    try expectLowering(#Predicate { ($0.title?.count ?? 9) > 5 }, "(title == nil or count(title) > 5)")
    try expectLowering(#Predicate { (1...2).contains($0.tags.count) }, "(count(tags) >= 1 and count(tags) <= 2)")
    try expectLowering(#Predicate { [1, 3].contains($0.tags.count) }, "(count(tags) == 1 or count(tags) == 3)")
  }

  @Test func texts() throws {
    let word = "x"
    try expectLowering(#Predicate { $0.text.contains(word) }, #"text contains "x""#)
    try expectLowering(#Predicate { $0.text.starts(with: "al") }, #"text hasPrefix "al""#)
    try expectLowering(#Predicate { $0.text.contains(word.first!) }, #"text contains "x""#)
    try expectLowering(#Predicate { $0.text.contains("") }, #"text contains """#)
    try expectLowering(#Predicate { $0.kind.rawValue.contains("in") }, #"kind contains "in""#)
  }

  @Test func textsThatMayBeNil() throws {
    let word = "x"
    try expectLowering(#Predicate { $0.title?.contains("x") == true }, #"title contains "x""#)
    try expectLowering(#Predicate { $0.title?.contains("x") ?? false }, #"title contains "x""#)
    try expectLowering(#Predicate { $0.title?.contains("x") != true }, #"not(title contains "x")"#)
    try expectLowering(#Predicate { $0.title?.contains("x") == false }, #"(title != nil and not(title contains "x"))"#)
    try expectLowering(#Predicate { $0.title?.contains("x") ?? true }, #"(title == nil or title contains "x")"#)
    try expectLowering(#Predicate { $0.title?.contains("x") != false }, #"(title == nil or title contains "x")"#)
    try expectLowering(#Predicate { $0.title?.contains("x") == nil }, "title == nil")
    try expectLowering(#Predicate { $0.title?.contains("x") != nil }, "title != nil")
    try expectLowering(#Predicate { $0.title.flatMap { $0.contains(word) } ?? false }, #"title contains "x""#)
    try expectLowering(#Predicate { $0.title?.starts(with: "sw") == true }, #"title hasPrefix "sw""#)
    try expectLowering(#Predicate { $0.title?.isEmpty == false }, #"(title != nil and title != "")"#)
    try expectLowering(#Predicate { $0.title?.isEmpty != false }, #"(title == nil or title == "")"#)
    try expectLowering(#Predicate { $0.title?.isEmpty == true }, #"title == """#)
  }

  @Test func optionalBinding() throws {
    try expectLowering(
      #Predicate {
        if let title = $0.title { title.contains("x") } else { false }
      }, #"title contains "x""#)
    try expectLowering(
      #Predicate {
        if let title = $0.title { title == "x" } else { true }
      }, #"(title == nil or title == "x")"#)
    try expectLowering(
      #Predicate { sample in
        if let rank = sample.rank { rank > 3 && rank < 9 } else { sample.isDone }
      }, "((rank != nil and rank > 3 and rank < 9) or (rank == nil and is_done == true))")
    let captured: String? = "alpha"
    try expectLowering(
      #Predicate { sample in
        if let captured { sample.text == captured && sample.number < captured.count } else { false }
      }, #"(text == "alpha" and number < 5)"#)
  }

  @Test func nestedOptionals() throws {
    try expectLowering(
      #Predicate { sample in
        sample.title.flatMap { title in sample.rank.flatMap { rank in rank > 3 && title == "alpha" } } ?? false
      },
      #"(rank > 3 and title == "alpha")"#)
    try expectLowering(
      #Predicate { sample in
        if let title = sample.title, let rank = sample.rank { rank > 3 || title == "x" } else { false }
      }, #"(title != nil and rank != nil and (rank > 3 or title == "x"))"#)
  }

  @Test func defaultsOfOptionals() throws {
    let word = "x"
    try expectLowering(#Predicate { ($0.rank ?? 0) > 3 }, "rank > 3")
    try expectLowering(#Predicate { ($0.rank ?? 0) < 3 }, "(rank == nil or rank < 3)")
    try expectLowering(#Predicate { 3 < ($0.rank ?? 5) }, "(rank == nil or rank > 3)")
    try expectLowering(#Predicate { ($0.rank ?? 0) == 0 }, "(rank == nil or rank == 0)")
    try expectLowering(#Predicate { ($0.rank ?? 0) != 0 }, "(rank != nil and rank != 0)")
    try expectLowering(#Predicate { ($0.rank ?? 1) != 0 }, "rank != 0")
    try expectLowering(#Predicate { ($0.title ?? "").contains(word) }, #"title contains "x""#)
    try expectLowering(#Predicate { ($0.title ?? "x").contains(word) }, #"(title == nil or title contains "x")"#)
    try expectLowering(#Predicate { ($0.title ?? "") == word }, #"title == "x""#)
    try expectLowering(#Predicate { ($0.title ?? "").isEmpty }, #"(title == nil or title == "")"#)
    try expectLowering(#Predicate { ($0.title ?? "").count < 2 }, "(title == nil or count(title) < 2)")
    try expectLowering(
      #Predicate { ($0.title ?? $0.text) == "alpha" },
      #"((title != nil and title == "alpha") or (title == nil and text == "alpha"))"#)
    try expectLowering(#Predicate { (0...5).contains($0.rank ?? 9) }, "(rank >= 0 and rank <= 5)")
  }
}

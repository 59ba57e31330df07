import Foundation
import TestSupport
import Testing

@testable import BenchHarness

@Suite struct AcceptedSlowdownsTests {
    private let folder: TemporaryDirectory
    private let key = ComparisonKey(scenario: "fake", driver: "fake", phase: "fetch", mode: "async")

    init() throws { folder = try TemporaryDirectory() }

    /// What commit messages accept, each of which follows its commit.
    private func accepted(_ messages: String...) throws -> AcceptedSlowdowns {
        let records = messages.enumerated().map {
            String(repeating: "\($0.offset + 1)", count: 40) + "\n\($0.element)\n"
        }
        var accepted = AcceptedSlowdowns()
        try accepted.add(messagesIn: try folder.write(records.joined(separator: "\0"), to: "messages"))
        return accepted
    }

    @Test func aLineHasAPhaseABoundAndAReason() throws {
        let slowdown = try AcceptedSlowdown("fetch-sync  of managed 2.5%\nbecause rows \u{7}are\tchecked")
        #expect(slowdown.phase == "fetch-sync" && slowdown.driver == "managed" && slowdown.share == 0.025)
        #expect(slowdown.reason == "rows \\u{7}are checked" && slowdown.commit == nil)
        #expect(try AcceptedSlowdown("of 5% because so").phase == "of")
    }

    @Test(arguments: [
        ("", "there is no phase"), ("5%", "there is no phase"), ("fetch", "there is no bound"),
        ("fetch 5 because so", "there is no bound"), ("fetch -5% because so", "there is no bound"),
        ("fetch 0% because so", "there is no bound"), ("fetch 1001% because so", "there is no bound"),
        ("fetch nan% because so", "there is no bound"), ("fetch 1e2% because so", "there is no bound"),
        ("fetch 5%", "there is no \"because REASON\""), ("fetch 5% because", "there is no \"because REASON\""),
        ("fetch 5% so", "there is no \"because REASON\""), ("fetch of 5% because so", "there is no driver"),
        ("$(fetch) 5% because so", "there is no phase"), ("fetch of -x 5% because so", "there is no driver"),
        ("fetch 5% because " + String(repeating: "x", count: 201), "more than 200 characters"),
        (String(repeating: "x", count: 1_000_000), "the line is too long"),
    ])
    func anyOtherTextIsAnErrorThatShowsTheForm(text: String, problem: String) {
        #expect { try AcceptedSlowdown(text) } throws: { error in
            let description = (error as? AcceptedSlowdown.Malformed)?.description ?? ""
            return description.contains(problem) && description.contains("expected PHASE [of DRIVER] PERCENT%")
        }
        var accepted = AcceptedSlowdowns()
        #expect { try accepted.add(text) } throws: { "\($0)".count < 400 && "\($0)".contains(problem) }
        #expect(accepted.isEmpty)
    }

    @Test func aMessageHasALineAnywhereAndItMayBeFolded() throws {
        let accepted = try accepted(
            "Check\n\nText with accept-slowdown: fetch 9% because it is no line.\n\nACCEPT-slowdown: fetch 5% because\n rows are\n\tchecked\nSigned-off-by: x",
            "Other\n")
        #expect(accepted.share(key).map { abs($0 - 0.05) < 1e-9 } == true)
        #expect(accepted.text(key) == "commit 1111111111 accepts 5 %: rows are checked")
        #expect(accepted.notes([]).count == 1)
    }

    @Test func differentLinesAddUpAndARepeatedOneCountsOnce() throws {
        let line = "Accept-slowdown: fetch 10% because of a"
        let accepted = try accepted(line, line, "Accept-slowdown: fetch of fake 10% because of b")
        #expect(accepted.share(key).map { abs($0 - 0.21) < 1e-9 } == true)
        #expect(accepted.share(ComparisonKey(key, driver: "other")).map { abs($0 - 0.1) < 1e-9 } == true)
    }

    @Test func aPhaseMeansItsTimesOnAllCoresToo() throws {
        let accepted = try accepted("Accept-slowdown: fetch 5% because so")
        var other = key
        other.phase = "fetch@all-cores"
        #expect(accepted.share(other) != nil)
        other.phase = "fetch-sync"
        #expect(accepted.share(other) == nil)
    }

    @Test(arguments: [
        ("Accept-slowdown: fetch", "there is no bound"),
        ("Accept slowdown: fetch 5% because so", "did you mean \"Accept-slowdown\"?"),
        ("Accepted-slowdowns: fetch 5% because so", "did you mean \"Accept-slowdown\"?"),
    ])
    func aMalformedLineAcceptsNothingAndIsNoted(line: String, problem: String) throws {
        let accepted = try accepted("Title\n\n\(line)")
        #expect(accepted.isEmpty && accepted.share(key) == nil)
        let notes = accepted.notes([])
        #expect(notes.count == 1 && notes[0].hasPrefix("commit 1111111111 accepts no slowdown: "), "\(notes)")
        #expect(notes[0].contains(problem))
    }

    @Test func manyLinesNeitherTakeLongNorFillTheReport() throws {
        let lines = (0..<20_000).map { "Accept-slowdown: fetch \($0 % 7)0 because x" }
        let notes = try accepted(lines.joined(separator: "\n")).notes([])
        #expect(notes.count == 21 && notes.last?.hasSuffix("more lines accept nothing") == true)
        let folded = "Accept-slowdown: fetch 5% because\n" + String(repeating: " x\n", count: 10_000)
        #expect(try accepted(folded).notes([]).first?.contains("the line is too long") == true)
    }

    @Test(arguments: ["no commit\nTitle", "\n\n\nAccept-slowdown: fetch 5% because so", "\u{FFFD}"])
    func anotherFileIsRefused(text: String) throws {
        let file = try folder.write(text, to: "messages")
        var accepted = AcceptedSlowdowns()
        #expect(throws: RunError.self) { try accepted.add(messagesIn: file) }
    }

    @Test func aPhaseOrDriverThatWasNotJudgedIsNamedWithTheNearest() throws {
        let metric = try #require(Metric.named("cpu"))
        var judgement = Judgement(key, metric, threshold: 0.015)
        judgement.verdict = .unchanged
        let notes = { (line: String) in
            try accepted("Accept-slowdown: \(line) 5% because so").notes([(judgement.key, judgement.verdict)])
        }
        #expect(
            try notes("fetsch") == [
                "commit 1111111111 accepts 5 % of fetsch, but no phase fetsch was judged; did you mean fetch?"
            ])
        #expect(try notes("seed")[0].hasSuffix("expected one of fetch"))
        #expect(try notes("fetch of sqlite")[0].hasSuffix("but no driver sqlite was judged; expected one of fake"))
        #expect(try notes("fetch") == ["commit 1111111111 accepts 5 % of fetch, but no such slowdown was found"])
        judgement.verdict = .insufficientData
        #expect(try notes("fetch") == [])
        judgement.verdict = .accepted
        #expect(try notes("fetch").isEmpty)
    }
}

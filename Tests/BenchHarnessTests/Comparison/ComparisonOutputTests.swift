import Foundation
#if canImport(FoundationXML)
    import FoundationXML
#endif
import Testing

@testable import BenchHarness

@Suite struct ComparisonOutputTests {
    private func comparison(strict: Bool = false) throws -> Comparison {
        var (base, new) = (ComparisonFixture(name: "base.csv"), ComparisonFixture(name: "new.csv"))
        let wild = [60.0, 75, 80, 95, 100, 110, 125, 140, 150, 170]
        for (phase, factor) in [("slower", 1.3), ("faster", 0.7), ("same", 1)] {
            base.add(phase, durationsMilliseconds: ComparisonFixture.steady(10)) { $0.counters.statements = 5 }
            new.add(phase, durationsMilliseconds: ComparisonFixture.steady(10, seed: 2).map { $0 * factor }) {
                $0.counters.statements = phase == "same" ? 6 : 5
            }
        }
        base.add("wild", durationsMilliseconds: wild)
        new.add("wild", durationsMilliseconds: wild.map { $0 * 1.04 })
        var options = ComparisonOptions()
        options.isStrict = strict
        return try Comparison(base: [base.run], new: [new.run], options: options)
    }

    @Test func textLeadsFromTheSidesToTheVerdict() throws {
        let text = ComparisonText(try comparison()).text(isColoured: false)
        #expect(text.hasPrefix("base: base.csv, 10 repetitions\nnew : new.csv, 10 repetitions\n"))
        #expect(text.contains("+30"))
        #expect(
            text.contains(
                """
                regressed: 2 figures got worse
                2 regressed, 1 improved, 5 unchanged, 1 inconclusive, 2 counters unchanged and not listed; Mann and \
                Whitney's test with Holm's correction for 8 figures, alpha 0.05
                with 10 repetitions each, these runs show slowdowns from about
                """), "\(text)")
        #expect(!text.contains("\u{1B}"))
    }

    @Test func countersAreShownOnlyWhereTheyChangedUnlessAllAreWanted() throws {
        let count = { (text: String) in text.split(separator: "\n").count { $0.contains(" statements ") } }
        #expect(count(ComparisonText(try comparison()).text(isColoured: false)) == 1)
        #expect(count(ComparisonText(try comparison(), showsAll: true).text(isColoured: false)) == 3)
    }

    @Test func theTallyCountsWhatTheTableLists() throws {
        for showsAll in [false, true] {
            let text = ComparisonText(try comparison(), showsAll: showsAll)
            let list = text.tally.prefix { $0 != ";" }.split(separator: ", ").filter { !$0.contains("not listed") }
            let counts = list.compactMap { $0.split(separator: " ").first.flatMap { Int($0) } }
            #expect(counts.reduce(0, +) == text.shown.count)
            #expect(text.tally.contains("2 counters unchanged and not listed") == !showsAll)
        }
    }

    @Test func colourMarksVerdictsWhereItIsWanted() throws {
        let text = ComparisonText(try comparison()).text(isColoured: true)
        #expect(text.contains("\u{1B}[31mslower") && text.contains("\u{1B}[32mfaster"))
    }

    @Test func markdownPutsTheVerdictFirstAndFoldsTheRest() throws {
        let text = ComparisonText(try comparison()).markdown
        #expect(text.hasPrefix("**regressed: 2 figures got worse**"))
        #expect(text.contains("<details><summary>All 9 figures</summary>"))
        #expect(text.contains("| slower | managed | duration |"))
    }

    @Test func jsonHasEveryFigureWithItsUnit() throws {
        let json = try JSONSerialization.jsonObject(with: Data(try comparison().json().utf8)) as? [String: Any]
        #expect(json?["outcome"] as? String == "regressed")
        let figures = try #require(json?["figures"] as? [[String: Any]])
        let slower = try #require(
            figures.first { $0["phase"] as? String == "slower" && $0["metric"] as? String == "duration" })
        #expect(slower["verdict"] as? String == "regressed")
        #expect(slower["unit"] as? String == "ns" && slower["column"] as? String == "duration_ns")
        #expect(slower["threshold_percent"] as? Double == 3)
        let (low, ratio, high) = (
            slower["ratio_low"] as? Double, slower["ratio"] as? Double, slower["ratio_high"] as? Double
        )
        #expect(try #require(low) < #require(ratio) && #require(ratio) < #require(high))
    }

    @Test func junitIsXMLWithACaseForEachJudgedFigure() throws {
        for strict in [false, true] {
            let counter = JUnitCounter(try comparison(strict: strict).junit)
            #expect(counter.counts["testcase"] == 11)
            #expect(counter.counts["failure"] == 2)
            #expect(counter.counts[strict ? "error" : "skipped"] == 1)
            #expect(
                counter.totals.filter { $0.key != "time" } == [
                    "tests": "11", "failures": "2", "errors": strict ? "1" : "0", "skipped": strict ? "0" : "1",
                ])
        }
    }

    /// The first case of a phase has its time, so that the times of the cases add up to those of the suites.
    @Test func junitHasTheTimeOfEachPhaseOnce() throws {
        let comparison = try comparison()
        let counter = JUnitCounter(comparison.junit)
        let phases = comparison.judgements.filter { $0.metric.name == "duration" }.compactMap { $0.new?.median }
        let sum = phases.reduce(0, +) / 1e9
        #expect(sum > 0.1)
        for times in [counter.times["testcase"], counter.times["testsuite"], counter.times["testsuites"]] {
            #expect(abs((times ?? []).reduce(0, +) - sum) < 1e-5)
        }
        #expect(counter.times["testcase"]?.count == 11)
    }

    @Test func junitHasAnErrorWhereThereWasNothingToJudge() throws {
        var options = ComparisonOptions()
        (options.judgesOnlyNamed, options.moreMetrics) = (true, ["queue_stall"])
        let runs = [1, 2].map { ComparisonFixture.phase(ComparisonFixture.steady(10, seed: $0)) }
        let comparison = try Comparison(base: [runs[0]], new: [runs[1]], options: options)
        #expect(comparison.outcome == .insufficientData)
        let counter = JUnitCounter(comparison.junit)
        #expect(counter.totals["errors"] == "1" && counter.counts["error"] == 1)
        #expect(counter.messages == ["there was nothing to judge"])
    }

    @Test func junitEscapesWhatErrorsSay() throws {
        let run = ComparisonFixture.phase([1]) {
            ($0.status, $0.verified, $0.error) = (.failed, nil, "a <b> & \"c\"\u{1}")
        }
        let comparison = try Comparison(base: [ComparisonFixture.phase([1])], new: [run])
        let counter = JUnitCounter(comparison.junit)
        #expect(counter.messages.contains("a <b> & \"c\"\u{FFFD}"))
        #expect(comparison.outcome == .failed)
    }
}

/// Counts the elements of a JUnit report.
private final class JUnitCounter: NSObject, XMLParserDelegate {
    var counts: [String: Int] = [:]
    var totals: [String: String] = [:]
    var messages: [String] = []
    /// Seconds, by the name of the element.
    var times: [String: [Double]] = [:]

    init(_ xml: String) {
        super.init()
        let parser = XMLParser(data: Data(xml.utf8))
        parser.delegate = self
        if !parser.parse() { counts = [:] }
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        counts[name, default: 0] += 1
        if name == "testsuites" { totals = attributes.filter { $0.key != "name" } }
        if let time = attributes["time"].flatMap({ Double($0) }) { times[name, default: []].append(time) }
        if let message = attributes["message"] { messages.append(message) }
    }
}

import Testing

@testable import BenchHarness
@testable import BenchReport

@Suite struct ComparisonSectionTests {
    /// Two phases: one of which has become a fifth slower, and one has stayed as it is.
    private static func run(_ name: String, id: String, fetch: Double, seed: UInt64) -> RecordedRun {
        var fixture = ComparisonFixture(id: id, name: name)
        for (index, driver) in ["managed", "sqlite"].enumerated() {
            let center = driver == "managed" ? fetch : 100
            fixture.add(
                "fetch", driver: driver,
                durationsMilliseconds: ComparisonFixture.steady(10, at: center, seed: seed + UInt64(index)))
            fixture.add(
                "seed", driver: driver,
                durationsMilliseconds: ComparisonFixture.steady(10, at: 50, seed: seed + 7 + UInt64(index)))
        }
        return fixture.run
    }

    private let base = run("base.csv", id: "b", fetch: 100, seed: 1)
    private let new = run("new.csv", id: "n", fetch: 120, seed: 40)

    private func page(_ comparison: Comparison) -> String {
        Report(runs: [base, new], comparison: .success(comparison)).html
    }

    private func comparison(_ base: RecordedRun, _ new: RecordedRun) throws -> Comparison {
        try Comparison(base: [base], new: [new])
    }

    /// What a mark or a cell says of a verdict.
    private func attributes(_ judgement: Judgement) -> [String: String] {
        let numbers = [
            "data-ratio": judgement.ratio, "data-low": judgement.interval?.lowerBound,
            "data-high": judgement.interval?.upperBound, "data-p": judgement.adjustedP,
            "data-limit": judgement.verdict == .notJudged ? nil : judgement.limit,
        ]
        let texts = [
            "data-scenario": judgement.key.scenario, "data-phase": judgement.key.phase,
            "data-mode": judgement.key.mode, "data-driver": judgement.key.driver,
            "data-metric": judgement.metric.column, "data-stat": "verdict",
            "data-verdict": judgement.verdict.rawValue,
        ]
        return numbers.compactMapValues { $0.map(ReportText.raw) }.merging(texts) { one, _ in one }
    }

    private func data(_ tag: [String: String]) -> [String: String] {
        tag.filter { $0.key.hasPrefix("data-") && $0.key != "data-column" }
    }

    @Test func everyNumberIsTheComparisons() throws {
        let comparison = try comparison(base, new)
        let html = page(comparison)
        let judged = comparison.judgements.filter { $0.verdict != .notJudged }
        #expect(judged.count == 8)
        let expected = Set(judged.map(attributes))
        let cells = ReportFixture.tags("td", in: html)
        #expect(Set(cells.filter { $0["data-stat"] == "verdict" }.map(data)) == expected)
        let marks = ReportFixture.tags("g", in: html).filter { $0["data-stat"] == "verdict" }
        #expect(marks.count == 8 && Set(marks.map(data)) == expected)
        for (side, summary) in [("base", \Judgement.base), ("new", \.new)] {
            let values = cells.filter { $0["data-stat"] == side }.compactMap { $0["data-value"].flatMap(Double.init) }
            #expect(values.sorted() == judged.compactMap { $0[keyPath: summary]?.median }.sorted())
        }
    }

    @Test func theConclusionComesFirstThenWhatChangedThenAllFigures() throws {
        let html = page(try comparison(base, new))
        #expect(ReportFixture.tags("p", in: html).compactMap { $0["data-outcome"] } == ["regressed"])
        #expect(ReportFixture.tags("li", in: html).compactMap { $0["data-change"] } == ["regressed"])
        let parts = [
            "regressed: 1 figure got worse.", "1 regressed, ", ">fetch of managed</strong>", "<figcaption>Duration",
            ">All figures<", "<h3>Notes", "no manifest beside base.csv",
        ]
        let places = parts.map { html.firstRange(of: $0)?.lowerBound }
        #expect(!places.contains(nil))
        #expect(places.compactMap { $0 } == places.compactMap { $0 }.sorted())
    }

    @Test func theOutcomeIsThatOfTheComparison() throws {
        for (one, other) in [(base, new), (new, base), (base, base)] {
            let comparison = try comparison(one, other)
            let outcomes = ReportFixture.tags("p", in: page(comparison)).compactMap { $0["data-outcome"] }
            #expect(outcomes == [comparison.outcome.rawValue])
            #expect(page(comparison).contains(ComparisonText(comparison).conclusion + "."))
        }
    }

    @Test func aPhaseNamesAllItsRowsOnceAndTheBaselineComesFirst() throws {
        let html = page(try comparison(base, new))
        let names = ReportFixture.tags("th", in: html).filter { $0["rowspan"] != nil }
        #expect(names.compactMap { $0["rowspan"] } == ["4", "4"])
        let cells = ReportFixture.tags("td", in: html).filter { $0["data-stat"] == "verdict" }
        #expect(cells.prefix(4).compactMap { $0["data-driver"] } == ["sqlite", "sqlite", "managed", "managed"])
    }

    @Test func whatCannotBeJudgedSaysWhy() throws {
        let few = ComparisonFixture.phase([1, 2, 3], name: "few.csv")
        let html = page(try comparison(few, ComparisonFixture.phase([2, 3, 4])))
        #expect(html.contains("3 against 3 repetitions are too few to judge 2 figures"))
        #expect(html.contains("data-verdict=\"insufficient data\""))
    }

    @Test func whatIsNotJudgedHasNoLimit() throws {
        let relative = ComparisonFixture.steady(10, at: 50)
        var (one, other) = (ComparisonFixture(name: "a.csv"), ComparisonFixture(name: "b.csv"))
        for (index, driver) in ["managed", "sqlite"].enumerated() {
            let change = { (row: inout ResultRow) in row.cpu = row.durationNanoseconds }
            one.add("fetch", driver: driver, durationsMilliseconds: relative, change: change)
            other.add(
                "fetch", driver: driver,
                durationsMilliseconds: ComparisonFixture.steady(10, at: 60, seed: UInt64(index + 5)), change: change)
        }
        let html = page(try comparison(one.run, other.run))
        let cells = ReportFixture.tags("td", in: html).filter { $0["data-verdict"] == "not judged" }
        #expect(!cells.isEmpty && cells.allSatisfy { $0["data-limit"] == nil })
        let rows = html.split(separator: "<tr>").filter { $0.contains(">not judged</td>") }
        #expect(rows.allSatisfy { !$0.contains("data-column=\"limit\">3 %<") })
    }

    @Test func whatFailedIsListed() throws {
        let broken = ComparisonFixture.phase(ComparisonFixture.steady(10)) { row in
            if row.repetition == 3 { (row.status, row.error) = (.failed, "lost <3> rows") }
        }
        let html = page(try comparison(ComparisonFixture.phase(ComparisonFixture.steady(10, seed: 3)), broken))
        #expect(html.contains("data-outcome=\"failed\""))
        #expect(html.contains("failed: managed, fetch, repetition 3: lost &lt;3&gt; rows"))
    }

    @Test func whatHasNoRatioShowsItsNewValue() throws {
        let nothing = ComparisonFixture.phase(Array(repeating: 0, count: 10))
        let html = page(try comparison(nothing, ComparisonFixture.phase(ComparisonFixture.steady(10))))
        let marks = ReportFixture.tags("g", in: html).filter { $0["data-stat"] == "verdict" }
        #expect(marks.map { $0["data-metric"] } == ["rss_peak_bytes"])
        #expect(!html.contains("nan") && !html.contains("inf"))
        #expect(html.contains(/>→ \d+\.\d ms<\/text>/))
    }

    @Test func runsThatCannotBeComparedSayWhyInPlaceOfAVerdict() {
        let error = RunError(.results, "a.csv and b.csv are of different scenarios: <x>; --allow-different-scenarios")
        let html = Report(runs: [base, new], comparison: .failure(error)).html
        #expect(html.contains("No comparison: a.csv and b.csv are of different scenarios: &lt;x&gt;"))
        #expect(html.contains("The options are those of bench compare."))
        #expect(html.contains("data-outcome=\"none\"") && html.contains("id=\"run-2\""))
        #expect(!html.contains("data-verdict"))
    }
}

import Testing

@testable import BenchHarness

/// Changes that the baseline driver casts doubt on.
@Suite struct BaselineDriftTests {
    private func run(managed: Double, sqlite: Double, seed: UInt64, boot: String? = "a") -> RecordedRun {
        var fixture = ComparisonFixture()
        var host = ComparisonFixture.host()
        host.boot = boot
        fixture.manifest = ComparisonFixture.manifest(host: host)
        for (index, (driver, center)) in [("managed", managed), ("sqlite", sqlite)].enumerated() {
            fixture.add(
                "fetch", driver: driver,
                durationsMilliseconds: ComparisonFixture.steady(10, at: center, seed: seed + UInt64(index)))
        }
        return fixture.run
    }

    private func compare(
        managed: Double, sqlite: Double, _ relation: ComparisonOptions.Relation, boot: String? = "a"
    ) throws -> Comparison {
        var options = ComparisonOptions()
        options.relation = relation
        return try Comparison(
            base: [run(managed: 100, sqlite: 50, seed: 1)],
            new: [run(managed: managed, sqlite: sqlite, seed: 11, boot: boot)], options: options)
    }

    @Test func aRatioThatOnlyAFasterBaselineRaisesIsInconclusive() throws {
        let judgement = try #require(
            try compare(managed: 100, sqlite: 40, .relative(to: "sqlite")).judgement("duration"))
        #expect(judgement.verdict == .inconclusive)
        #expect(judgement.reason.hasPrefix("sqlite, the baseline driver, changed by -2"))
    }

    @Test func aRatioThatTheFigureItselfConfirmsRegresses() throws {
        let comparison = try compare(managed: 130, sqlite: 45, .relative(to: "sqlite"))
        #expect(comparison.judgement("duration")?.verdict == .regressed)
    }

    @Test func aSteadyBaselineCastsNoDoubt() throws {
        for relation in [ComparisonOptions.Relation.relative(to: "sqlite"), .absolute] {
            #expect(try compare(managed: 130, sqlite: 50, relation).outcome == .regressed)
        }
    }

    /// Another speed is expected there, and the ratio is what remains.
    @Test(arguments: ["b", nil])
    func afterAnotherBootTheRatioStands(boot: String?) throws {
        let comparison = try compare(managed: 100, sqlite: 40, .relative(to: "sqlite"), boot: boot)
        #expect(comparison.judgement("duration")?.verdict == .regressed)
    }

    @Test func aTimeThatRoseWithTheBaselineIsInconclusive() throws {
        let comparison = try compare(managed: 130, sqlite: 65, .absolute)
        #expect(comparison.judgement("duration")?.verdict == .inconclusive)
        let own = try #require(comparison.judgement("duration", driver: "sqlite"))
        #expect(own.verdict == .inconclusive)
        #expect(own.reason == "the baseline driver itself changed, so the machine did")
        #expect(comparison.outcome == .inconclusive)
    }

    /// A drift counts beyond its own noise, however large the threshold is.
    @Test func aDriftWithinTheThresholdCountsToo() throws {
        var options = ComparisonOptions()
        options.thresholds = ["duration": 0.25]
        let comparison = try Comparison(
            base: [run(managed: 100, sqlite: 50, seed: 1)], new: [run(managed: 132, sqlite: 61, seed: 11)],
            options: options)
        #expect(comparison.judgement("duration")?.verdict == .inconclusive)
        #expect(
            comparison.judgement("duration")?.reason.hasPrefix("sqlite, the baseline driver, changed by +2") == true)
    }

    @Test func aTimeThatRoseMoreThanTheBaselineRegresses() throws {
        let comparison = try compare(managed: 200, sqlite: 65, .absolute)
        #expect(comparison.judgement("duration")?.verdict == .regressed)
    }

    @Test func anImprovementIsDoubtedAlike() throws {
        let comparison = try compare(managed: 70, sqlite: 35, .absolute)
        #expect(comparison.judgement("duration")?.verdict == .inconclusive)
    }

    @Test func theBaselineAloneIsJudged() throws {
        let alone = { (center: Double, seed: UInt64) in
            ComparisonFixture.phase(ComparisonFixture.steady(10, at: center, seed: seed), driver: "sqlite")
        }
        let comparison = try Comparison(base: [alone(50, 1)], new: [alone(65, 2)])
        #expect(comparison.judgement("duration", driver: "sqlite")?.verdict == .regressed)
    }

    @Test func memoryIsNoMatterOfSpeed() throws {
        let (base, new) = (run(managed: 100, sqlite: 50, seed: 1), run(managed: 130, sqlite: 65, seed: 11))
        let grown = RecordedRun(
            url: new.url,
            rows: new.rows.map { row in
                var row = row
                row.residentPeakBytes = row.residentPeakBytes.map { $0 * 2 }
                return row
            }, manifest: new.manifest)
        let comparison = try Comparison(base: [base], new: [grown])
        #expect(comparison.judgement("rss_peak")?.verdict == .regressed)
    }
}

import Testing

@testable import BenchHarness
@testable import BenchReport

@Suite struct RunFiguresTests {
    private typealias Fixture = ReportFixture

    @Test func onlyVerifiedWorkCounts() {
        let rows = [
            Fixture.row("mine", milliseconds: 10), Fixture.row("mine", milliseconds: 99) { $0.status = .failed },
            Fixture.row("mine", milliseconds: 99) { $0.verified = false },
            Fixture.row("mine", milliseconds: 99) { $0.verified = nil }, Fixture.row("mine", milliseconds: 30),
        ]
        let figures = Fixture.figures(rows)
        #expect(figures.phases[0].drivers[0].median(.duration) == 20e6)
        #expect(figures.leftOut.count == 3)
    }

    @Test func ratiosAreOfMediansToTheBaseline() {
        let rows =
            [10, 30, 20].map { Fixture.row("sqlite", milliseconds: $0) }
            + [15, 45, 30].map {
                Fixture.row("mine", milliseconds: $0)
            }
        let phase = Fixture.figures(rows).phases[0]
        #expect(phase.ratio(.duration, "mine") == 1.5)
        #expect(phase.ratio(.duration, "sqlite") == 1)
    }

    /// On a page too, in its captions.
    @Test func aRunOnAServerHasAServersBaseline() {
        let rows = [Fixture.row("managed-postgres", milliseconds: 30), Fixture.row("postgres", milliseconds: 20)]
        let figures = Fixture.figures(rows)
        #expect(figures.baseline == "postgres" && figures.drivers.map(\.name) == ["postgres", "managed-postgres"])
        #expect(figures.phases[0].ratio(.duration, "managed-postgres") == 1.5)
        let page = GlanceSection(run: figures).node.html
        #expect(page.contains("Duration relative to postgres") && page.contains("its ratio to that of postgres"))
    }

    @Test func withoutAMeasuredBaselineThereIsNoRatio() {
        let failed = Fixture.row("sqlite") { $0.status = .failed }
        for rows in [[Fixture.row("mine")], [Fixture.row("mine"), failed]] {
            #expect(Fixture.figures(rows).phases[0].ratio(.duration, "mine") == nil)
        }
        let instant = [Fixture.row("sqlite", milliseconds: 0), Fixture.row("mine")]
        #expect(Fixture.figures(instant).phases[0].ratio(.duration, "mine") == nil)
    }

    @Test func theBaselineComesFirstAndDriversLookTheSameInEveryRun() {
        let one = Fixture.run([Fixture.row("b"), Fixture.row("sqlite"), Fixture.row("a")])
        let other = Fixture.run([Fixture.row("a"), Fixture.row("c")])
        let figures = RunFigures.all([one, other])
        #expect(figures[0].drivers.map(\.name) == ["sqlite", "b", "a"])
        #expect(figures[1].drivers.map(\.name) == ["a", "c"])
        #expect(figures[0].drivers[2] == figures[1].drivers[0])
    }

    @Test func phasesOfOneNameAreToldApart() {
        let rows = [
            Fixture.row("a") { $0.mode = "sync" }, Fixture.row("a") { $0.mode = "async" },
            Fixture.row("a", phase: "other"),
        ]
        let figures = Fixture.figures(rows)
        #expect(figures.phases.map(figures.title) == ["fetch (sync)", "fetch (async)", "other"])
        let joined = Fixture.figures([Fixture.row("a"), Fixture.row("a") { $0.scenario = "t" }])
        #expect(joined.phases.map(joined.title) == ["s: fetch", "t: fetch"])
    }

    @Test func stylesDifferByMoreThanColour() {
        let looks = (0..<12).map { slot in
            let style = DriverStyle(name: "", slot: slot)
            return "\(style.shape) \(style.dashes ?? "")"
        }
        #expect(Set(looks).count == 12)
    }

    @Test func aKnownDriverHasOneStyleWhateverRanBesideIt() {
        let alone = DriverStyle.all(["grdb"])
        #expect(DriverStyle.all(["lmdb", "mine", "grdb"])[2] == alone[0])
        #expect(Fixture.figures([Fixture.row("sqlite"), Fixture.row("grdb")]).drivers[1] == alone[0])
    }

    @Test func theStyleOfAnotherDriverDependsOnTheNamesAlone() {
        let names = ["mine", "sqlite", "yours"]
        let styles = Set(DriverStyle.all(names))
        #expect(Set(DriverStyle.all(names.reversed())) == styles && styles.count == 3)
    }
}

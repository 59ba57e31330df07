import Testing

@testable import BenchHarness
@testable import BenchReport

@Suite struct LoadSectionTests {
    private typealias Fixture = ReportFixture

    /// Repetitions of a load of which the given operations, of 1,000, went wrong.
    private func page(_ wrong: (WritableKeyPath<ResultRow, Int?>), _ counts: [Int]) -> String {
        let rows = counts.enumerated().map { index, count in
            Fixture.row("mine", phase: "steady", repetition: index + 1) {
                ($0.kind, $0.serviceP50, $0.serviceP99) = ("mixed", 1_000, 2_000)
                ($0.errors, $0.retries, $0.operations) = (0, 0, 1_000 - count)
                $0[keyPath: wrong] = count
                if count == 0 { $0.latencyMax = 3_000 }
            }
        }
        return Fixture.page(rows)
    }

    private func cell(_ metric: String, _ html: String) -> [String: String]? {
        Fixture.tags("td", in: html).first { $0["data-metric"] == metric && $0["data-stat"] == "sum" }
    }

    @Test(arguments: [(\ResultRow.errors, "errors"), (\.retries, "retries"), (\.dropped, "dropped")])
    func whatWentWrongAddsUpOverTheRepetitions(_ path: WritableKeyPath<ResultRow, Int?> & Sendable, _ metric: String) {
        #expect(cell(metric, page(path, [0, 50, 0]))?["data-value"] == "50")
        #expect(cell(metric, page(path, [1, 2, 3]))?["data-value"] == "6")
    }

    /// Two drivers that do more and fewer operations in the same time.
    @Test func atAGlanceAGivenDurationIsNotTheFigure() {
        let rows = [("sqlite", 2_000), ("mine", 1_000)].map { driver, operations in
            Fixture.row(driver, milliseconds: 1_000, phase: "steady") {
                ($0.kind, $0.serviceP50, $0.errors, $0.operations) = ("mixed", 1_000, 0, operations)
                $0.throughput = Double(operations)
            }
        }
        let html = Fixture.page(rows + [Fixture.row("sqlite", phase: "other"), Fixture.row("mine", phase: "other")])
        #expect(html.contains(/>steady<\/a><\/span>: throughput, more is better</) && html.contains(">~0.5×</td>"))
        let glance = GlanceSection(run: Fixture.figures(rows)).node.html
        let medians = Fixture.tags("td", in: glance).filter { $0["data-stat"] == "median" }
        #expect(
            Set(medians.compactMap { $0["data-metric"] }) == ["throughput_per_s", "latency_p50_ns", "latency_p99_ns"])
        let ratios = Fixture.tags("path", in: html).filter {
            $0["data-stat"] == "ratio" && $0["data-metric"] == "duration_ns"
        }
        #expect(ratios.map { $0["data-phase"] } == ["other"])
    }

    @Test func droppedOperationsAreExplained() {
        let html = page(\.dropped, [0, 161, 161])
        #expect(html.contains("Steady of mine: 322 of 3,000 operations were dropped; they count as slower than all"))
        #expect(html.contains(">no bound</td>"))
        #expect(!page(\.dropped, [0, 0]).contains("slower than all others"))
    }
}

import Testing

@testable import BenchHarness

@Suite struct TrendMetricTests {
    @Test(arguments: ["duration", "rss_peak", "throughput", "statements", "latency_p99", "read", "load_average_1m"])
    func columnsAreNamedWithoutTheirUnit(name: String) {
        #expect(TrendMetric.named(name)?.name == name)
    }

    @Test func theWholeNameDoesToo() {
        #expect(TrendMetric.named("duration_ns")?.name == "duration")
        #expect(TrendMetric.named("throughput_per_s")?.unit == .perSecond)
    }

    @Test(arguments: ["", "phase", "verified", "repetition", "nonsense"])
    func whatIsNoFigureIsNoMetric(name: String) {
        #expect(TrendMetric.named(name) == nil)
    }

    @Test func namesAreUnique() {
        #expect(Set(TrendMetric.all.map(\.name)).count == TrendMetric.all.count)
        #expect(TrendMetric.standard.count == 5)
    }

    @Test func missingFiguresAreNotZero() throws {
        let metric = try #require(TrendMetric.named("statements"))
        #expect(metric.value(ResultRow()) == nil)
        #expect(metric.value(TrendFixture.row(statements: 0)) == 0)
    }

    @Test func figuresAreReadable() {
        #expect(TrendMetric.named("duration")?.text(1_500_000) == "1.5 ms")
        #expect(TrendMetric.named("rss_peak")?.text(2e6) == "2.0 MB")
        #expect(TrendMetric.named("throughput")?.text(1_234.4) == "1,234/s")
        #expect(TrendMetric.named("vm_steps")?.text(17_000_029) == "17,000,029")
        #expect(TrendMetric.named("vm_steps")?.text(2.5) == "2.50")
    }
}

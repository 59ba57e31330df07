import Foundation
import TestSupport
import Testing

@testable import BenchHarness

@Suite struct MetricTests {
    @Test func everyMetricIsAColumnOfItsOwn() {
        let columns = ResultColumn.all.map(\.name)
        for metric in Metric.all { #expect(columns.contains(metric.column)) }
        #expect(Set(Metric.all.map(\.name)).count == Metric.all.count)
        #expect(Metric.all.map(\.index) == Array(Metric.all.indices))
    }

    @Test func aMetricIsItsColumnsNumber() throws {
        let directory = try TemporaryDirectory()
        for metric in Metric.all {
            let file = try directory.write(
                "scenario,driver,phase,repetition,status,\(metric.column)\ns,d,p,1,ok,7\n", to: "out.csv")
            let row = try #require(try ResultTable(contentsOf: file).rows.first)
            #expect(metric.value(row) == 7)
            #expect(metric.value(ResultRow()) == nil)
        }
    }

    @Test func itIsFoundWithAndWithoutItsUnit() {
        #expect(Metric.named("duration")?.column == "duration_ns")
        #expect(Metric.named("throughput_per_s")?.name == "throughput")
        #expect(Metric.named("vm_steps")?.column == "vm_steps")
        #expect(Metric.named("scenario") == nil && Metric.named("") == nil)
    }

    @Test func figuresHaveTheirUnit() {
        #expect(Metric.named("duration")?.text(1_500_000) == "1.5 ms")
        #expect(Metric.named("rss_peak")?.text(2e6) == "2.0 MB")
        #expect(Metric.named("throughput")?.text(1_234.4) == "1,234/s")
        #expect(Metric.named("vm_steps")?.text(17_000_029) == "17,000,029")
        #expect(Metric.named("vm_steps")?.text(2.5) == "2.50")
    }
}

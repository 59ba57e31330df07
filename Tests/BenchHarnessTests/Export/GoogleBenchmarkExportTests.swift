import Foundation
import TestSupport
import Testing

@testable import BenchHarness
@testable import BenchReport

/// Held against src/json_reporter.cc of google/benchmark 1.9.5. Its tools/compare.py (`benchmarks`, `filters`) took
/// exports of the kept million run, and of rows with failures and missing values such as these.
@Suite struct GoogleBenchmarkExportTests {
    private func benchmarks(_ rows: [ResultRow]) throws -> [[String: Any]] {
        let text = try ExportFormat.googleBenchmark.text(ExportFixture.run(rows))
        let json = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        return try #require(json?["benchmarks"] as? [[String: Any]])
    }

    @Test func trialsAtSeveralRatesAreNoRepetitionsOfOneAnother() throws {
        let rows = [100.0, 100, 200].enumerated().map { index, rate in
            var row = ExportFixture.row(phase: "run", repetition: index + 1)
            row.ratePerSecond = rate
            return row
        }
        let names = Set(try benchmarks(rows).compactMap { $0["run_name"] as? String })
        #expect(names == ["s/run@rate_per_s=100/sqlite", "s/run@rate_per_s=200/sqlite"])
    }

    @Test func aRunIsWrittenAsTheReporterWritesIt() throws {
        var row = ExportFixture.row()
        row.queueStall = 7
        #expect(
            try ExportFormat.googleBenchmark.text(ExportFixture.run([row])) == """
                {
                  "context": {
                    "caches": [],
                    "load_avg": [],
                    "json_schema_version": 1
                  },
                  "benchmarks": [
                    {
                      "name": "s/fetch/sqlite",
                      "family_index": 0,
                      "per_family_instance_index": 0,
                      "run_name": "s/fetch/sqlite",
                      "run_type": "iteration",
                      "repetitions": 1,
                      "repetition_index": 0,
                      "threads": 1,
                      "iterations": 1,
                      "real_time": 100.0,
                      "cpu_time": 55.0,
                      "time_unit": "ns",
                      "cpu_system_ns": 5,
                      "cpu_user_ns": 50,
                      "queue_stall_ns": 7,
                      "statements": 0
                    }
                  ]
                }

                """)
    }

    @Test func phasesAreFamiliesAndDriversTheirInstances() throws {
        let rows = [("a", "p"), ("b", "p"), ("a", "q"), ("b", "q")].map { ExportFixture.row($0, phase: $1) }
        let benchmarks = try benchmarks(rows)
        #expect(benchmarks.map { $0["family_index"] as? Int } == [0, 0, 1, 1])
        #expect(benchmarks.map { $0["per_family_instance_index"] as? Int } == [0, 1, 0, 1])
    }

    /// The numbers are numpy's, with one delta degree of freedom.
    @Test func aggregatesFollowTheRepetitions() throws {
        let rows = [100, 110, 130, 170].enumerated().map {
            ExportFixture.row(repetition: $0.offset + 1, duration: $0.element)
        }
        let benchmarks = try benchmarks(rows)
        #expect(benchmarks.map { $0["repetition_index"] as? Int } == [0, 1, 2, 3, nil, nil, nil, nil])
        let aggregates = benchmarks.suffix(4)
        let names = ["mean", "median", "stddev", "cv"]
        #expect(aggregates.map { $0["aggregate_name"] as? String } == names)
        #expect(aggregates.map { $0["name"] as? String } == names.map { "s/fetch/sqlite_" + $0 })
        #expect(aggregates.map { $0["aggregate_unit"] as? String } == ["time", "time", "time", "percentage"])
        #expect(aggregates.allSatisfy { $0["iterations"] as? Int == 4 && $0["run_type"] as? String == "aggregate" })
        let times = aggregates.compactMap { $0["real_time"] as? Double }
        for (time, expected) in zip(times, [127.5, 120, 30.956959368344517, 0.24279968132034913]) {
            #expect(abs(time - expected) < 1e-12 * expected)
        }
        #expect(aggregates.map { $0["statements"] as? Double } == [0, 0, 0, 0])
    }

    @Test func whatFailedIsMarkedAndCountsInNoAggregate() throws {
        var unverified = ExportFixture.row(repetition: 3, duration: 9_999)
        unverified.verified = false
        let rows = [
            ExportFixture.row(), ExportFixture.row(.failed, error: "broke", repetition: 2), unverified,
            ExportFixture.row(.unsupported, error: "", repetition: 4),
        ]
        let benchmarks = try benchmarks(rows)
        #expect(benchmarks.count == 4)
        #expect(benchmarks.map { $0["error_occurred"] as? Bool } == [nil, true, true, nil])
        #expect(benchmarks[1]["error_message"] as? String == "broke")
        #expect(benchmarks[3]["skipped"] as? Bool == true)
        #expect(benchmarks[3]["skip_message"] as? String == "unsupported")
        #expect(benchmarks.map { $0["iterations"] as? Int } == [1, 0, 0, 0])
        #expect(benchmarks.map { $0["real_time"] as? Double } == [100, 0, 0, 0])
        #expect(benchmarks.map { $0["statements"] as? Int } == [0, nil, nil, nil])
    }

    @Test func whatIsMissingIsLeftOut() throws {
        var row = ExportFixture.row(duration: nil)
        row.cpuSystem = nil
        let benchmark = try #require(benchmarks([row]).first)
        #expect(benchmark["real_time"] == nil && benchmark["cpu_time"] == nil && benchmark["rss_peak_bytes"] == nil)
    }

    @Test func figuresBeyondAnyMeasurementMakeNoInvalidJSON() throws {
        var rows = [
            ExportFixture.row(repetition: 1, duration: Int.max), ExportFixture.row(repetition: 2, duration: Int.max),
        ]
        for index in rows.indices { (rows[index].throughput, rows[index].cpuUser) = (1e308, Int.max) }
        #expect(try benchmarks(rows).last?["throughput_per_s"] == nil)
    }

    @Test(arguments: ["quote \" and \\", "two\nlines\r", "\u{0}\u{1F}\u{7F}", "ä 🙂 </script>"])
    func textIsEscaped(text: String) throws {
        #expect(try benchmarks([ExportFixture.row(.failed, error: text)]).first?["error_message"] as? String == text)
    }

    @Test func theContextIsThatOfTheManifest() throws {
        let text = try ExportFormat.googleBenchmark.text(RecordedRun(contentsOf: Repository.million))
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        let context = try #require(object?["context"] as? [String: Any])
        #expect(context["date"] as? String == "2026-11-28T00:55:24+00:00")
        #expect(context["load_avg"] as? [Double] == [1.56, 1.52, 1.31])
        #expect(context["num_cpus"] as? Int == 2)
        #expect(context["library_build_type"] as? String == "release")
    }
}

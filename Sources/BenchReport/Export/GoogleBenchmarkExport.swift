import BenchHarness
import Foundation

/// A run in the format of google/benchmark's JSON reporter (src/json_reporter.cc and src/statistics.cc of version
/// 1.9.5).
///
/// A family is a phase of a scenario, its instances are the drivers. Each rate of a search is a phase. A phase is one
/// iteration on one thread: its time is the duration, its CPU time that of the process. All other figures are user
/// counters with the names of their columns. Unknown values are left out. As in google/benchmark, runs that failed or
/// were skipped have times of 0 beside the mark that says so, and no aggregate counts them; aggregates begin at two
/// repetitions.
struct GoogleBenchmarkExport {
    private let run: RecordedRun

    init(_ run: RecordedRun) {
        self.run = run
    }

    func write(to sink: (String) throws -> Void) throws {
        try sink("{\n  \"context\": \(context.text(indent: "  ")),\n  \"benchmarks\": [")
        var separator = "\n    "
        try forEachInstance { instance in
            try instance.forEachRun { run in
                try sink(separator + run.text(indent: "    "))
                separator = ",\n    "
            }
        }
        try sink("\n  ]\n}\n")
    }

    /// The context: without a manifest, it holds no facts about the machine.
    private var context: OrderedJSON {
        let manifest = run.manifest
        let loads = manifest?.loadBefore.loadAverages?.split(separator: " ").prefix(3).compactMap { Double($0) }
        return .object([
            ("date", (manifest?.started).map { .string(Self.date($0)) }),
            ("executable", (manifest?.commandLine.first).map(OrderedJSON.string)),
            ("num_cpus", (manifest?.host.cores).map(OrderedJSON.integer)), ("caches", .array([])),
            ("load_avg", .array((loads ?? []).filter(\.isFinite).map(OrderedJSON.number))),
            ("library_build_type", (manifest?.buildConfiguration).map(OrderedJSON.string)),
            ("json_schema_version", .integer(1)),
            // google/benchmark's custom context, which holds strings.
            ("run", (manifest?.run).map(OrderedJSON.string)),
            ("git_commit", (manifest?.git?.commit).map(OrderedJSON.string)),
            ("usable_cores", (manifest?.host.usableCores).map { .string(HostFacts.text($0)) }),
            ("cpu_model", (manifest?.host.cpuModel).map(OrderedJSON.string)),
            ("kernel", (manifest?.host.kernel).map(OrderedJSON.string)),
            ("file_system", (manifest?.fileSystem).map(OrderedJSON.string)),
        ])
    }

    /// Returns a date with the offset in hours and minutes, which older versions of Python's `fromisoformat` require.
    private static func date(_ date: Date) -> String {
        let text = ISO8601DateFormatter().string(from: date)
        return text.hasSuffix("Z") ? text.dropLast() + "+00:00" : text
    }

    private func forEachInstance(_ body: (GoogleBenchmarkInstance) throws -> Void) rethrows {
        var families: [[String]: (index: Int, instances: Int)] = [:]
        let searches = Set(run.searches.map { [$0.phase, $0.driver] })
        let groups = ExportGroup.groups(run.rows) { row in
            let rate = searches.contains([row.phase, row.driver]) ? row.ratePerSecond : nil
            return [row.scenario, row.phase + (rate.map { "@rate_per_s=\(ReportText.raw($0))" } ?? ""), row.driver]
        }
        for group in groups {
            let key = Array(group.key.prefix(2))
            let family = families[key] ?? (families.count, 0)
            families[key] = (family.index, family.instances + 1)
            try body(
                GoogleBenchmarkInstance(
                    name: group.key.joined(separator: "/"), rows: group.places.map { run.rows[$0] },
                    family: family.index, instance: family.instances))
        }
    }
}

/// One phase of one driver: its repetitions and their aggregates.
private struct GoogleBenchmarkInstance {
    private static let counters = ResultColumn.figures.filter { $0.column.name != FigureColumn.duration.column }
        .sorted { $0.column.name < $1.column.name }

    let name: String
    let rows: [ResultRow]
    let family: Int
    let instance: Int

    func forEachRun(_ body: (OrderedJSON) throws -> Void) rethrows {
        for row in rows { try body(iteration(row)) }
        let good = rows.filter(\.isExported)
        guard good.count > 1 else { return }
        for statistic in GoogleBenchmarkStatistic.all { try body(aggregate(statistic, good)) }
    }

    private func head(_ suffix: String, _ type: String) -> [(String, OrderedJSON?)] {
        [
            ("name", .string(name + suffix)), ("family_index", .integer(family)),
            ("per_family_instance_index", .integer(instance)), ("run_name", .string(name)),
            ("run_type", .string(type)), ("repetitions", .integer(rows.count)),
        ]
    }

    private func iteration(_ row: ResultRow) -> OrderedJSON {
        let start =
            head("", "iteration") + [
                ("repetition_index", .integer(max(row.repetition - 1, 0))), ("threads", .integer(1)),
            ]
        guard row.isExported else { return .object(start + Self.mark(row) + Self.times(0, 0, iterations: 0)) }
        let counters = Self.counters.map { column, _ in
            let text = column.text(row)
            return (column.name, text.isEmpty ? nil : OrderedJSON.literal(text))
        }
        return .object(start + Self.times(row.realTime, row.cpuTime, iterations: 1) + counters)
    }

    /// Returns the mark of a row: an error for a failure, a skip for work that was not done.
    private static func mark(_ row: ResultRow) -> [(String, OrderedJSON?)] {
        let message = OrderedJSON.string(row.error.isEmpty ? row.status.rawValue : row.error)
        switch row.status {
        case .ok, .failed: return [("error_occurred", .bool(true)), ("error_message", message)]
        case .unsupported, .interrupted: return [("skipped", .bool(true)), ("skip_message", message)]
        }
    }

    private func aggregate(_ statistic: GoogleBenchmarkStatistic, _ rows: [ResultRow]) -> OrderedJSON {
        let counters = Self.counters.map { column, figure in
            (column.name, statistic.of(rows.compactMap(figure.value)).map(OrderedJSON.number))
        }
        let start =
            head("_" + statistic.name, "aggregate") + [
                ("threads", .integer(1)), ("aggregate_name", .string(statistic.name)),
                ("aggregate_unit", .string(statistic.unit)),
            ]
        let times = Self.times(
            statistic.of(rows.compactMap(\.realTime)), statistic.of(rows.compactMap(\.cpuTime)), iterations: rows.count)
        return .object(start + times + counters)
    }

    private static func times(_ real: Double?, _ cpu: Double?, iterations: Int) -> [(String, OrderedJSON?)] {
        [
            ("iterations", .integer(iterations)), ("real_time", real.map(OrderedJSON.number)),
            ("cpu_time", cpu.map(OrderedJSON.number)), ("time_unit", .string("ns")),
        ]
    }
}

extension ResultRow {
    fileprivate var realTime: Double? { work.durationNanoseconds.map(Double.init) }
    fileprivate var cpuTime: Double? { FigureColumn.cpu.value(self) }
}

import BenchReport
import Foundation

@testable import BenchHarness

/// A reader that takes any bytes, and what must hold of its answers beyond that it does answer.
enum FuzzTarget: String, CaseIterable {
    case results
    case scenario

    /// What is wrong with how the reader took `bytes`; nil when nothing is.
    func problem(_ bytes: [UInt8]) -> String? {
        switch self {
        case .results: ResultProperties.problem(bytes)
        case .scenario: ScenarioProperties.problem(bytes)
        }
    }
}

/// What holds of every answer to a file of results.
private enum ResultProperties {
    static func problem(_ bytes: [UInt8]) -> String? {
        recordProblem(bytes) ?? tableProblem(bytes)
    }

    /// The records of any text, written anew, are the same records.
    private static func recordProblem(_ bytes: [UInt8]) -> String? {
        var records: [[String]] = [["a header"]]
        var reader = CSVReader(file: "fuzz.csv", bytes: bytes)
        while (try? reader.advance()) == true { records.append((0..<reader.record.count).map(reader.record.text)) }
        let written = records.map(CSV.line).joined()
        var again = CSVReader(file: "again.csv", bytes: Array(written.utf8))
        for record in records {
            guard (try? again.advance()) == true, (0..<again.record.count).map(again.record.text) == record else {
                return "the record \(record) is another one when written and read again"
            }
        }
        return nil
    }

    private static func tableProblem(_ bytes: [UInt8]) -> String? {
        let (table, error) = read { CSVReader(file: "fuzz.csv", bytes: bytes) }
        let (other, otherError) = read { CSVReader(file: "fuzz.csv", bytes: bytes, chunk: 1 + bytes.count % 13) }
        guard table == other, error == otherError else { return "other chunks, another answer: \(bytes.count) bytes" }
        if let error { return placeProblem(error) }
        guard var table else { return "neither a table nor an error" }
        let written = text(table)
        let (again, failure) = read { CSVReader(file: "again.csv", bytes: Array(written.utf8)) }
        guard let again else { return "what was written is refused: \(failure?.description ?? "")" }
        // Decimals are written with three places, and are the same from then on.
        for (index, row) in again.rows.enumerated() where index < table.rows.count {
            table.rows[index].throughput = row.throughput
            table.rows[index].loadAverage = row.loadAverage
        }
        guard table == again, text(again) == written else {
            return "the table is another one when written and read again"
        }
        return exportProblem(table)
    }

    /// What was read can be exported, or is refused for a reason.
    private static func exportProblem(_ table: ResultTable) -> String? {
        let run = RecordedRun(url: URL(fileURLWithPath: "fuzz.csv"), rows: table.rows, manifest: nil)
        if let json = try? ExportFormat.googleBenchmark.text(run),
            (try? JSONSerialization.jsonObject(with: Data(json.utf8))) == nil
        {
            return "the export is no JSON: \(json)"
        }
        let metrics = try? ExportFormat.openMetrics.text(run)
        if metrics?.hasSuffix("# EOF\n") == false { return "the metrics have no end" }
        return comparisonProblem(run)
    }

    /// What was read can be compared with itself, with its figures in other rows, or is refused for a reason.
    private static func comparisonProblem(_ run: RecordedRun) -> String? {
        var rows = run.rows
        for (index, other) in run.rows.reversed().enumerated() {
            (rows[index].work, rows[index].usage, rows[index].load) = (other.work, other.usage, other.load)
        }
        for index in rows.indices { rows[index].identity.run += "2" }
        let mixed = RecordedRun(url: URL(fileURLWithPath: "mixed.csv"), rows: rows, manifest: nil)
        do {
            if let trend = try? Trend([run, mixed], metrics: Metric.all) { _ = try trend.json() }
            if let comparison = try? Comparison(base: [run], new: [mixed]) { _ = try comparison.json() }
            return nil
        } catch {
            return "no JSON of its comparison with itself: \(error)"
        }
    }

    private static func read(_ reader: () -> CSVReader) -> (ResultTable?, RunError?) {
        do throws(RunError) { return (try ResultTable(reader()), nil) } catch { return (nil, error) }
    }

    private static func text(_ table: ResultTable) -> String {
        CSV.line(ResultColumn.all.map(\.name))
            + table.rows.map { row in CSV.line(ResultColumn.all.map { $0.text(row) }) }.joined()
    }

    private static func placeProblem(_ error: RunError) -> String? {
        let isPlaced = error.description.hasPrefix("fuzz.csv:") && error.description.contains("; expected ")
        return isPlaced && error.description.isOneLine ? nil : "an error without a place: \(error.description)"
    }
}

/// What holds of every answer to a scenario.
private enum ScenarioProperties {
    static func problem(_ bytes: [UInt8]) -> String? {
        do throws(ScenarioErrors) {
            return problem(try ScenarioReader(drivers: ["managed", "sqlite"]).read(Data(bytes), file: "fuzz.json"))
        } catch {
            let wrong = error.all.first { $0.line == nil || $0.column == nil || !$0.description.isOneLine }
            return wrong.map { "an error without a place: \($0.description)" }
        }
    }

    /// A scenario that was accepted can be recorded, scaled, and its records made.
    private static func problem(_ scenario: Scenario) -> String? {
        guard let json = try? JSONEncoder().encode(scenario),
            (try? JSONDecoder().decode(Scenario.self, from: json)) == scenario
        else { return "the scenario is another one when recorded and read again" }
        let scaled = scenario.scaled(by: 0.01)
        if scaled.records < 1 { return "a scenario scaled down to no records" }
        let generator = RecordGenerator(entity: scenario.entity, seed: scenario.seed)
        for attribute in scenario.entity.attributes.indices {
            for ordinal in [0, scenario.records - 1]
            where generator.value(attribute, ordinal) != generator.value(attribute, ordinal) {
                return "attribute \(attribute) of record \(ordinal) is not the same twice"
            }
        }
        return nil
    }
}

extension String {
    /// Whether it goes to a terminal as one line and nothing else.
    fileprivate var isOneLine: Bool {
        unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }
}

extension CSVReader {
    /// Reads from memory, `chunk` bytes at once.
    init(file: String, bytes: [UInt8], chunk: Int) {
        var rest = bytes[...]
        self.init(file: file) { (buffer, start) throws(RunError) in
            let piece = rest.prefix(min(chunk, buffer.count - start))
            buffer.replaceSubrange(start..<start + piece.count, with: piece)
            rest = rest.dropFirst(piece.count)
            return piece.count
        }
    }
}

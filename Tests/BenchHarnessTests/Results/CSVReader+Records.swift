@testable import BenchHarness

extension CSVReader {
    /// The records of a text.
    static func records(_ text: String) throws(RunError) -> [[String]] {
        var reader = CSVReader(file: "t.csv", bytes: Array(text.utf8))
        var records: [[String]] = []
        while try reader.advance() { records.append((0..<reader.record.count).map(reader.record.text)) }
        return records
    }
}

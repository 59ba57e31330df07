import Foundation

/// The rows of a CSV file.
public struct ResultTable: Sendable, Equatable {
    /// One row per driver, phase and repetition, in the order of the file.
    public var rows: [ResultRow]

    /// Creates a table.
    public init(rows: [ResultRow]) {
        self.rows = rows
    }

    /// Reads a file. Columns are found by name; ones that this version does not know are passed over.
    public init(contentsOf url: URL) throws {
        try self.init(csv: String(decoding: Data(contentsOf: url), as: UTF8.self), file: url.relativePath)
    }

    init(csv: String, file: String) throws(RunError) {
        let records = CSV.records(csv)
        guard let header = records.first else { throw RunError(.results, "\(file): an empty file; expected a header") }
        for required in ["scenario", "driver", "phase"] where !header.contains(required) {
            throw RunError(.results, "\(file):1: no column \"\(required)\"; expected a file written by bench run")
        }
        let columns = header.map { name in ResultColumn.all.first { $0.name == name } }
        rows = []
        for (index, fields) in records.enumerated().dropFirst() {
            rows.append(try Self.row(fields, columns, place: "\(file): row \(index + 1)"))
        }
    }

    private static func row(_ fields: [String], _ columns: [ResultColumn?], place: String) throws(RunError) -> ResultRow
    {
        guard fields.count == columns.count else {
            throw RunError(.results, "\(place): \(fields.count) fields; expected \(columns.count), as in the header")
        }
        var row = ResultRow()
        for (field, column) in zip(fields, columns) {
            guard let column else { continue }
            guard column.set(&row, field) else {
                throw RunError(.results, "\(place): \"\(field)\" is no value for column \"\(column.name)\"")
            }
        }
        return row
    }
}

/// The header of a file of results: it maps the fields of a row to values.
///
/// Columns are found by name. Unknown columns are ignored. Known columns that an earlier version did not write are
/// missing values, except those without which a row has no meaning.
struct ResultHeader {
    /// The columns that identify a row, and the one that decides whether it counts.
    static let required = ["scenario", "driver", "phase", "repetition", "status"]

    /// A class, because iterating over an array of them then costs one reference count per element, not one for each of
    /// its parts.
    private final class Binding: Sendable {
        let index: Int
        let column: ResultColumn
        let isRequired: Bool

        init(_ index: Int, _ column: ResultColumn) {
            self.index = index
            self.column = column
            isRequired = ResultHeader.required.contains(column.name)
        }
    }

    private let file: String
    private let count: Int
    private let bindings: [Binding]

    /// Reads a file's first record as a header.
    init(_ record: CSVRecord, file: String) throws(RunError) {
        self.file = file
        count = record.count
        let names = (0..<record.count).map(record.text)
        let place = "\(file):\(record.line)"
        let missing = Self.required.filter { !names.contains($0) }
        guard missing.isEmpty else {
            let list = missing.map(\.quoted).joined(separator: ", ")
            throw RunError(
                .results, "\(place): a header without \(list); expected the columns that bench run writes")
        }
        guard record.isTerminated else {
            throw RunError(
                .results,
                "\(place): the header has no line end, so it may have been cut off; expected one: repeat the run")
        }
        var positions: [String: Int] = [:]
        for (index, name) in names.enumerated() {
            if let first = positions.updateValue(index, forKey: name) {
                throw RunError(
                    .results,
                    "\(place): columns \(first + 1) and \(index + 1) are both called \(name.quoted); expected each once"
                )
            }
        }
        bindings = ResultColumn.all.compactMap { column in positions[column.name].map { Binding($0, column) } }
    }

    /// Reads a record with this header.
    func row(_ record: CSVRecord, texts: inout TextPool) throws(RunError) -> ResultRow {
        try checkShape(record)
        var row = ResultRow()
        for binding in bindings {
            let isRead = record.withField(binding.index) { field in
                if field.isEmpty { return !binding.isRequired && binding.column.mayBeEmpty }
                return binding.column.set(&row, field, &texts)
            }
            if !isRead { throw mismatch(record, binding) }
        }
        if row.repetition == 0 {
            throw RunError(
                .results,
                "\(file):\(record.line): column \"repetition\": \"0\"; expected a whole number from 1 to \(Int.max)")
        }
        row.identity.mode = Spelling.mode(row.mode)
        return row
    }

    private func checkShape(_ record: CSVRecord) throws(RunError) {
        let place = "\(file):\(record.line)"
        guard record.isTerminated else {
            throw RunError(
                .results,
                "\(place): the last line has no line end, so it may have been cut off; "
                    + "expected one: add it if the row is whole, otherwise delete the row")
        }
        guard record.count == count else {
            let found = record.isBlank ? "an empty line" : record.count == 1 ? "1 field" : "\(record.count) fields"
            throw RunError(.results, "\(place): \(found); expected \(count) fields, as in the header")
        }
    }

    private func mismatch(_ record: CSVRecord, _ binding: Binding) -> RunError {
        let text = record.text(binding.index)
        let found = text.isEmpty ? "nothing" : text.quoted
        let column = binding.column
        return RunError(
            .results, "\(file):\(record.line): column \(column.name.quoted): \(found); expected \(column.expectation)")
    }
}

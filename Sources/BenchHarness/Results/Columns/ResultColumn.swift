/// A column of the CSV. ``all`` is the only list of columns: the header, writing and reading use it, and everything
/// that shows, compares or exports a figure takes its description from ``figure``.
///
/// Readers find columns by name, so the CSV of an earlier version stays readable.
package struct ResultColumn: Sendable {
    /// The name in the header, with its unit last.
    package let name: String
    /// Returns the field's text, empty if the value is missing.
    package let text: @Sendable (ResultRow) -> String
    /// The valid contents of a field, for messages.
    let expectation: String
    /// Whether a field may be empty.
    let mayBeEmpty: Bool
    /// The meaning in a sentence.
    let help: String
    /// The figure that the column holds; nil for names, remarks and the like.
    let figure: FigureColumn?
    /// Sets the value from a field; returns false if the field does not have the column's type.
    let set: @Sendable (inout ResultRow, CSVField, inout TextPool) -> Bool

    /// Sets the value of a load from those of its shards; nil if such a row lacks it.
    let merge: (@Sendable (MergedRow, inout ResultRow) -> Void)?

    init<Value: CSVValue>(
        _ name: String, _ path: WritableKeyPath<ResultRow, Value> & Sendable, _ rule: ShardRule<Value>, _ help: String,
        figure: FigureColumn? = nil
    ) {
        self.name = name
        self.help = help
        self.figure = figure
        text = { $0[keyPath: path].csvField }
        expectation = Value.expectation
        mayBeEmpty = Value.isOptional || Value.self == String.self
        set = { row, field, texts in
            guard let value = Value(csvField: field, texts: &texts) else { return false }
            row[keyPath: path] = value
            return true
        }
        if let value = rule.merge {
            merge = { load, row in row[keyPath: path] = value(path, load) }
        } else {
            merge = nil
        }
    }

    /// All columns, in the order of the file.
    static let all: [ResultColumn] = identity + work + asynchrony + process + store + machine + load + added

    /// The columns of ``all`` that are figures, with their descriptions.
    package static let figures = all.compactMap { column in column.figure.map { (column: column, figure: $0) } }
}

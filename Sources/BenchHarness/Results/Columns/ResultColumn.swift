/// A column of the CSV. ``all`` is the one place that says which there are: the header, writing and reading come from
/// it, and everything that shows, compares or exports a figure takes its description from ``figure``.
///
/// Readers find columns by name, so an earlier version's CSV stays readable.
struct ResultColumn: Sendable {
    /// The name in the header, with its unit last.
    let name: String
    /// The field's text, empty when the value is missing.
    let text: @Sendable (ResultRow) -> String
    /// What a field must hold, for messages.
    let expectation: String
    /// Whether an empty field is a value, or a missing one.
    let mayBeEmpty: Bool
    /// What it is, in a sentence.
    let help: String
    /// What the column measures or counts; nil for names, remarks and the like.
    let figure: FigureColumn?
    /// Sets the value from a field; false when it is not of the column's type.
    let set: @Sendable (inout ResultRow, CSVField, inout TextPool) -> Bool

    /// A column that is no figure.
    init<Value: CSVValue>(_ name: String, _ path: WritableKeyPath<ResultRow, Value> & Sendable, _ help: String) {
        self.init(name, path, help, figure: nil)
    }

    /// The column of a figure.
    init<Value: CSVValue>(_ figure: FigureColumn, _ path: WritableKeyPath<ResultRow, Value> & Sendable) {
        self.init(figure.column, path, figure.help, figure: figure)
    }

    private init<Value: CSVValue>(
        _ name: String, _ path: WritableKeyPath<ResultRow, Value> & Sendable, _ help: String, figure: FigureColumn?
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
    }

    /// In the order of the file.
    static let all: [ResultColumn] = identity + work + asynchrony + process + store + machine + load

    /// The columns of ``all`` that are figures, with what they are.
    static let figures = all.compactMap { column in column.figure.map { (column: column, figure: $0) } }
}

/// A part of a model that a database lacks, and the statements that add it.
struct SchemaAddition {
    /// The description of the missing part, for an error.
    let text: String
    let statements: [SQLFragment]

    init(_ text: String, _ statements: [SQLFragment]) {
        (self.text, self.statements) = (text, statements)
    }

    init(_ text: String, _ statements: [String]) {
        self.init(text, statements.map { SQLFragment(sql: $0) })
    }
}

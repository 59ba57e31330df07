/// How the SQL of one database differs from that of another: all that the generator has to ask to write a statement.
///
/// The generator writes `?` for a parameter; names and values in the text contain none. Every condition is true or
/// false, never NULL, and a dialect keeps it so.
///
/// Some questions have no exact answer in every database, a match by a regular expression for one. For these a dialect
/// says what it can (`says`, `folds`, `adds`, `computes`), and a store looks at ``SQLGenerator/divided(_:)`` and its
/// like before it asks for the text: what SQL does not say is tested on decoded rows.
protocol SQLDialect: Sendable {
    // MARK: Names, parameters and values

    /// The name of a table, column or index as it stands in a statement.
    func identifier(_ name: String) -> String
    /// The parameter with a number, which counts from 1; nil where `?` stands for all of them.
    func parameter(_ number: Int) -> String?
    /// How many parameters a statement may have.
    var parameterLimit: Int { get }
    /// A value as it stands in the text, exactly that which would be bound.
    func literal(_ value: StoredValue) -> String
    /// A condition that always or never holds.
    func literal(_ value: Bool) -> String

    // MARK: Columns

    /// The declared type of a column.
    func columnType(_ kind: ColumnKind) -> String
    /// The declaration of the column of a row's key.
    var primaryKey: String { get }

    // MARK: Conditions

    /// Whether a column has a value, `.null` included.
    func isSame(_ column: String, _ value: StoredValue) -> SQLFragment
    func isNotSame(_ column: String, _ value: StoredValue) -> SQLFragment
    /// Whether a column has one of several values, none of which is `.null`.
    func isOne(of values: [StoredValue], _ column: String) -> SQLFragment
    /// Whether a column, which is never NULL, has one of many keys.
    func isOne(of keys: [Int64], _ column: String) -> SQLFragment
    /// Whether the test can be written exactly.
    func says(_ test: TextTest) -> Bool
    /// The test of a column; false for NULL.
    func condition(_ test: TextTest, _ column: String) -> SQLFragment
    /// The same column, out of sight of the query planner's choice of an index.
    func withoutIndex(_ column: String) -> String
    /// Whether a query within a query may be about the row of the query around it.
    var allowsCorrelatedQueries: Bool { get }
    /// What the parser has room for in a condition: see ``ConditionScope``.
    var conditionRoom: Int { get }

    // MARK: Order and limits

    /// Whether strings can be folded exactly.
    func folds(_ options: FetchPredicate.StringOptions) -> Bool
    /// A column with its string folded.
    func folded(_ column: String, _ options: FetchPredicate.StringOptions) -> String
    /// An expression to order by: missing values are the least.
    func sortKey(_ expression: String, ascending: Bool) -> String
    /// ` LIMIT ? OFFSET ?`; a limit of 0 is none. Empty without either.
    func window(limit: Int, offset: Int) -> SQLFragment

    // MARK: Computing

    /// Whether numbers of a kind can be added exactly.
    func adds(_ kind: NumberSum.Kind) -> Bool
    func sum(_ column: String, _ kind: NumberSum.Kind) -> String
    func average(_ column: String, _ kind: NumberSum.Kind) -> String
    /// Whether the new value of an attribute can be computed exactly: see ``BatchUpdatePlan/Expression``.
    func computes(_ expression: BatchUpdatePlan.Expression, as type: AttributeType) -> Bool
    /// The nearest number of a range; NULL of NULL.
    func clamped(_ value: SQLFragment, to range: ClosedRange<Int64>) -> SQLFragment
    /// A double rounded to a float.
    func rounded(_ value: SQLFragment) -> SQLFragment
    /// A chain of operations on whole numbers, computed from the left; a result beyond 64 bits is the nearest one.
    func computed(_ first: SQLFragment, _ links: [(BatchUpdatePlan.Operator, SQLFragment)]) -> SQLFragment

    // MARK: Writing

    /// Inserts a row of parameters, unless there is one with the same primary key.
    func insertIfAbsent(into table: String, _ columns: [String]) -> String
}

extension SQLDialect {
    func parameter(_ number: Int) -> String? { nil }
    func says(_ test: TextTest) -> Bool { true }
    func folds(_ options: FetchPredicate.StringOptions) -> Bool { true }
    func adds(_ kind: NumberSum.Kind) -> Bool { true }
    func computes(_ expression: BatchUpdatePlan.Expression, as type: AttributeType) -> Bool { true }
    var allowsCorrelatedQueries: Bool { true }
    var conditionRoom: Int { .max }
}

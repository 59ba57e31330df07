/// The differences between the SQL of databases, as far as the generator needs them to write a statement.
///
/// The generator writes `?` for a parameter; names and values in the text contain none. Every condition is true or
/// false, never NULL, and a dialect must preserve this.
///
/// Not every database can answer every question exactly, for example a match of a regular expression. A dialect reports
/// what it can express (`says`, `folds`, `adds`, `computes`). A store checks ``SQLGenerator/divided(_:)`` and similar
/// members before it requests the text, and tests the remaining conditions on decoded rows.
protocol SQLDialect: Sendable {
    // MARK: Names, parameters and values

    /// Returns the name of a table, column or index as a statement writes it.
    func identifier(_ name: String) -> String
    /// Returns the parameter with a number, counted from 1; nil if the dialect writes `?` for every parameter.
    func parameter(_ number: Int) -> String?
    /// The maximum number of parameters of a statement.
    var parameterLimit: Int { get }
    /// Returns a value as text that is exactly equal to the bound value.
    func literal(_ value: StoredValue) -> String
    /// Whether statements can contain a value, bound or as text.
    func says(_ value: StoredValue) -> Bool
    /// Returns a condition that always or never holds.
    func literal(_ value: Bool) -> String

    // MARK: Columns

    /// Returns the declared type of a column.
    func columnType(_ kind: ColumnKind) -> String
    /// Whether an added column is declared with its attribute's default value. It then applies to the rows that
    /// processes with the older model still insert.
    var declaresDefaults: Bool { get }
    /// The declaration of the key column.
    var primaryKey: String { get }

    // MARK: Conditions

    /// Returns a condition: the column has a value, which may be `.null`.
    func isSame(_ column: String, _ value: StoredValue) -> SQLFragment
    func isNotSame(_ column: String, _ value: StoredValue) -> SQLFragment
    /// Returns a condition: the column has one of several values, none of which is `.null`.
    func isOne(of values: [StoredValue], _ column: String) -> SQLFragment
    /// Returns a condition: the column, which is never NULL, has one of many keys.
    func isOne(of keys: [Int64], _ column: String) -> SQLFragment
    /// Whether the dialect can express the test exactly.
    func says(_ test: TextTest) -> Bool
    /// Returns the test of a column, which is false for NULL.
    func condition(_ test: TextTest, _ column: String) -> SQLFragment
    /// Returns the same column in a form for which the query planner uses no index.
    func withoutIndex(_ column: String) -> String
    /// Whether rows that an index finds are read in the order of the index, which may be any order of their places.
    var readsByIndex: Bool { get }
    /// Whether a subquery can refer to the row of the surrounding query.
    var allowsCorrelatedQueries: Bool { get }
    /// The number of parser entries for a condition: see ``ConditionScope``.
    var conditionRoom: Int { get }
    /// The number of conditions of a statement, from which on the database takes longer to plan it than to return all
    /// rows.
    var conditionLimit: Int { get }

    // MARK: Order and limits

    /// Whether the dialect can fold strings exactly.
    func folds(_ options: FetchPredicate.StringOptions) -> Bool
    /// Returns a column with its string folded.
    func folded(_ column: String, _ options: FetchPredicate.StringOptions) -> String
    /// Returns an expression to order by, in which missing values are the least.
    ///
    /// - Parameter isNeverMissing: Whether no value is missing. An index may then serve that would not otherwise.
    func sortKey(_ expression: String, ascending: Bool, isNeverMissing: Bool) -> String
    /// Whether rows come in the order of their keys if the statement asks for no other.
    var scansByKey: Bool { get }
    /// Returns ` LIMIT ? OFFSET ?`; a limit of 0 means no limit. Empty without a limit and an offset.
    func window(limit: Int, offset: Int) -> SQLFragment

    // MARK: Computing

    /// Whether the dialect can add numbers of a kind exactly.
    func adds(_ kind: NumberSum.Kind) -> Bool
    func sum(_ column: String, _ kind: NumberSum.Kind) -> String
    func average(_ column: String, _ kind: NumberSum.Kind) -> String
    /// Whether the dialect can compute the new value of an attribute exactly: see ``BatchUpdatePlan/Expression``.
    func computes(_ expression: BatchUpdatePlan.Expression, as type: AttributeType) -> Bool
    /// Whether the dialect computes the numbers that conditions compare exactly.
    var computesConditions: Bool { get }
    /// Returns the nearest number of a range; NULL for NULL.
    func clamped(_ value: SQLFragment, to range: ClosedRange<Int64>) -> SQLFragment
    /// Returns a double rounded to a float.
    func rounded(_ value: SQLFragment) -> SQLFragment
    /// Returns a chain of operations on integers, computed from the left. A result beyond 64 bits is clamped.
    func computed(_ first: SQLFragment, _ links: [(BatchUpdatePlan.Operator, SQLFragment)]) -> SQLFragment

    // MARK: Writing

    /// Returns the statement that inserts the rows of `source`, such as `VALUES (?, ?)`, except those whose primary key
    /// a row has.
    func insertIfAbsent(into table: String, _ columns: [String], _ source: String) -> String
}

extension SQLDialect {
    func sortKey(_ expression: String, ascending: Bool) -> String {
        sortKey(expression, ascending: ascending, isNeverMissing: false)
    }

    func parameter(_ number: Int) -> String? { nil }
    func says(_ test: TextTest) -> Bool { true }
    func folds(_ options: FetchPredicate.StringOptions) -> Bool { true }
    func adds(_ kind: NumberSum.Kind) -> Bool { true }
    func computes(_ expression: BatchUpdatePlan.Expression, as type: AttributeType) -> Bool { true }
    var declaresDefaults: Bool { false }
    var computesConditions: Bool { true }
    var readsByIndex: Bool { false }
    var allowsCorrelatedQueries: Bool { true }
    var conditionRoom: Int { .max }
    var conditionLimit: Int { .max }
}

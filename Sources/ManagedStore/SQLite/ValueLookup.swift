/// Finds the rows that have one of several integers in a column that an index covers, or keys of a range.
///
/// For `IN (?, ?)`, SQLite sorts the values into a table of its own whenever the statement runs, which costs more than
/// to find a few rows. A join with the values needs no such table, and takes a third to two thirds of the time.
///
/// Neighbouring keys are one range, which SQLite reads in one go.
struct ValueLookup {
    /// The position of the column's field; nil for the key.
    private let field: Int?
    /// The values, or the first and the last of a range of keys.
    private let values: [Int64]
    private let isRange: Bool
    /// Whether it reads a few rows at most, and nothing but them: those with a few keys, or with a few values of a
    /// unique attribute.
    let isBrief: Bool

    /// The greatest number of rows if it is brief.
    var briefCount: Int? {
        guard isBrief else { return nil }
        return max(isRange ? Int(values[1] - values[0]) + 1 : values.count, 1)
    }

    /// The greatest number of values. With more, the table is a smaller part of the work, and the text a larger one.
    static let limit = RowPage.rows
    /// The number of keys in each part of a longer list: few enough for the last part, which may be shorter, to use the
    /// statement of the others.
    private static let part = 1_024
    /// The greatest number of keys whose rows are found in no time.
    private static let few = 64

    /// The lookup that finds the rows of `plan` in `table`, in no particular order; nil if its condition is none on a
    /// few integers or on neighbouring keys.
    init?(_ plan: FetchPlan, in table: EntityTable) {
        guard plan.limit == 0, plan.offset == 0, let predicate = plan.predicate else { return nil }
        switch predicate {
        case .compare(let position, .equal, let value):
            guard table.isIndexed(position), !table.isAdopted, case .integer(let integer) = value.untyped else {
                return nil
            }
            (field, values, isRange) = (position, [integer], false)
            isBrief = table.isUnique(position) && table.externals.isEmpty
        case .keys(let keys):
            let ends = keys.ends
            if ends == nil, keys.count > Self.limit { return nil }
            (field, values, isRange) = (nil, ends.map { [$0, $1] } ?? keys, ends != nil)
            isBrief = keys.count <= Self.few && table.externals.isEmpty
        case .in(let position, let values)
        where values.count <= Self.limit && table.isIndexed(position) && !table.isAdopted:
            guard let integers = values.integers else { return nil }
            (field, self.values, isRange) = (position, DistinctKeys.sorted(integers), false)
            isBrief = values.count <= Self.few && table.isUnique(position) && table.externals.isEmpty
        default: return nil
        }
    }

    /// Returns the plan in parts that lookups find if it names more keys than one of them takes, in their order;
    /// otherwise nil.
    ///
    /// A statement with all keys would be compiled for this fetch only, which takes as long as finding the rows.
    static func parts(of plan: FetchPlan) -> [FetchPlan]? {
        guard plan.limit == 0, plan.offset == 0, case .keys(let keys)? = plan.predicate, keys.count > limit,
            keys.ends == nil
        else { return nil }
        return stride(from: 0, to: keys.count, by: part).map { start in
            var one = plan
            one.predicate = .keys(Array(keys[start..<min(start + part, keys.count)]))
            return one
        }
    }

    /// Returns the statement for the rows of `plan`, with its values.
    func statement(
        _ plan: FetchPlan, _ selection: RowSelection, _ schema: SQLSchema, on connection: Connection
    ) throws(StoreError) -> Statement {
        let statement = try connection.statement(key(selection)) { text(plan, selection, schema) }
        // The parameters beyond are NULL, to which no row is equal.
        for (index, value) in values.enumerated() { statement.bind(Int32(index + 1), value) }
        return statement
    }

    /// Returns the key of the statement. A selection tells the entities.
    func key(_ selection: RowSelection) -> StatementKey {
        let rows = ObjectIdentifier(selection)
        return isRange ? .range(rows: rows) : .lookup(rows: rows, field: field, values: length)
    }

    /// The number of parameters.
    private var length: Int { Self.length(for: values.count) }

    /// Returns the number of parameters of a statement for some values. There are few such numbers, since it takes
    /// longer to compile a statement than to run it.
    static func length(for values: Int) -> Int {
        var length = 1
        while length < values { length *= 2 }
        return length
    }

    /// Returns `SELECT t.Z_PK, ... FROM (VALUES (?), ...) v CROSS JOIN table t ON t.column = v.column1`. The join
    /// follows the values in their order. One value, or a range, is a plain condition.
    func text(_ plan: FetchPlan, _ selection: RowSelection, _ schema: SQLSchema) -> String {
        let table = schema.tables[plan.source.entityIndex]
        let column = field.map { table.columns[$0] } ?? "Z_PK"
        let ofEntity = SQLGenerator(plan.source, schema).entityCondition(plan).map { " AND \($0)" } ?? ""
        if isRange || length == 1 {
            let condition = isRange ? "BETWEEN ? AND ?" : "= ?"
            return "SELECT \(selection.columnList) FROM \(table.name) WHERE \(column) \(condition)\(ofEntity)"
        }
        let places = String.list(of: "(?)", length)
        return "SELECT \(selection.aliasedList) FROM (VALUES \(places)) v CROSS JOIN \(table.name) t "
            + "ON t.\(column) = v.column1\(ofEntity)"
    }
}

extension [StoredValue] {
    /// The values as integers; nil if there are none, or if one is of another kind: strings that are equal here may
    /// differ in a database.
    fileprivate var integers: [Int64]? {
        if isEmpty { return nil }
        var integers: [Int64] = []
        integers.reserveCapacity(count)
        for value in self {
            guard case .integer(let integer) = value.untyped else { return nil }
            integers.append(integer)
        }
        return integers
    }
}

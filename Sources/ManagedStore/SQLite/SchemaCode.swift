import CSQLite

/// The code in a file's schema: triggers, and what tables and indexes compute. SQLite runs it whenever a row is
/// written, by any author of the file.
///
/// Triggers of derived attributes are such code, and people add some of their own; it runs if it cannot take long. What
/// could is refused: queries that recur, and functions whose cost is out of proportion to their arguments. How many
/// rows a trigger visits is limited while it runs: see ``TriggerLimit``. Views cannot be read at all.
enum SchemaCode {
    /// Functions that take about as long as it takes to read their arguments. The article FileFormat lists them.
    static let harmlessFunctions = Set(
        [
            "abs", "avg", "ceil", "ceiling", "changes", "char", "coalesce", "count", "current_date", "current_time",
            "current_timestamp", "date", "datetime", "floor", "glob", "ifnull", "iif", "json_extract", "json_valid",
            "julianday", "last_insert_rowid", "length", "like", "lower", "max", "min", "nullif", "random", "round",
            "sign",
            "strftime", "substr", "substring", "sum", "time", "total", "total_changes", "typeof", "unicode",
            "unixepoch",
            "upper",
        ] + (TriggerReports.names + CoreDataFunctions.names).map { $0.lowercased() })
    /// Functions of which the same is true as long as they have one argument.
    static let harmlessFunctionsOfOneArgument: Set = ["ltrim", "rtrim", "trim"]
    private static let harmfulWords: Set = ["with", "recursive"]
    private static let harmfulOperators: Set = ["||"]
    /// What makes SQLite report as written what it did not write, or delete rows that it was not asked to.
    private static let silencers: [[String]] = [
        ["raise", "(", "ignore"], ["on", "conflict", "replace"], ["on", "conflict", "ignore"],
    ]
    /// After these a table is named, not a function; after ON in an index alone.
    private static let namingWords: Set = ["table", "into", "references", "exists"]

    /// Without triggers, only the tables of the store are ever written.
    private static let query = """
        SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND type <> 'view' \
        AND NOT (type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE %') \
        AND (tbl_name LIKE 'Z%' OR EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'trigger'))
        """

    /// Looks at all there is, and limits what triggers may cost if there are any.
    ///
    /// - Throws: `StoreError` with `incompatibleStore` for code that could take long.
    static func check(_ connection: Connection) throws(StoreError) {
        let harmful = try harmfulFunctions(connection)
        let rows = try connection.statement(query)
        defer { rows.reset() }
        while try rows.step() {
            let (type, name) = (rows.string(0), rows.string(1))
            if type == "trigger" { connection.limitTriggers() }
            if let silencer = silencer(in: rows.bytes(2)) {
                throw StoreError(
                    .incompatibleStore,
                    "\(connection.path): the \(type) \(name) has \(silencer), so that rows could go or stay away without an error; make "
                        + "it raise an error, or drop it; it was left as it is")
            }
            guard let found = offence(in: rows.bytes(2), harmful, isIndex: type == "index") else { continue }
            throw StoreError(
                .incompatibleStore,
                "\(connection.path): the \(type) \(name) computes with \(found), which may take any time whenever a row is saved; drop "
                    + "it, or let it do with less; it was left as it is")
        }
    }

    private static func harmfulFunctions(_ connection: Connection) throws(StoreError) -> Set<String> {
        let rows = try connection.statement("SELECT DISTINCT lower(name) FROM pragma_function_list")
        defer { rows.reset() }
        var names = Set<String>()
        while try rows.step() { names.insert(rows.string(0)) }
        return names.subtracting(harmlessFunctions)
    }

    /// The first silencer there is.
    private static func silencer(in sql: UnsafeRawBufferPointer) -> String? {
        var tokens = SQLTokens(sql)
        var last: [String] = []
        while let token = tokens.next() {
            switch token {
            case .name(let text, isQuoted: false): last.append(text.lowercased())
            case .symbol(let text): last.append(text)
            default: last.append("")
            }
            last = last.suffix(3)
            if silencers.contains(last) { return last.joined(separator: " ").uppercased() }
        }
        return nil
    }

    /// Whether the function whose opening bracket has just passed is called with more than one argument.
    private static func hasSeveralArguments(_ rest: SQLTokens) -> Bool {
        var (tokens, depth) = (rest, 1)
        while depth > 0, let token = tokens.next() {
            switch token {
            case .symbol("("): depth += 1
            case .symbol(")"): depth -= 1
            case .symbol(","): if depth == 1 { return true }
            default: break
            }
        }
        return false
    }

    /// The first thing that is not harmless.
    private static func offence(
        in sql: UnsafeRawBufferPointer, _ harmfulFunctions: Set<String>, isIndex: Bool
    ) -> String? {
        var tokens = SQLTokens(sql)
        // The name just passed that may be a function's, whether the next one is a table's, and whether that just
        // passed was.
        var (function, namesTable, namedTable) = (String?.none, false, false)
        while let token = tokens.next() {
            switch token {
            case .name(let text, let isQuoted):
                let name = text.lowercased()
                if !isQuoted, harmfulWords.contains(name) { return text }
                (function, namedTable) = (namesTable ? nil : name, namesTable)
                namesTable = !isQuoted && (namingWords.contains(name) || isIndex && name == "on")
            case .symbol("("):
                if let function, harmfulFunctions.contains(function) {
                    guard harmlessFunctionsOfOneArgument.contains(function) else { return "\(function)()" }
                    if hasSeveralArguments(tokens) { return "\(function)() of two strings" }
                }
                (function, namesTable, namedTable) = (nil, false, false)
            case .symbol(let text):
                if harmfulOperators.contains(text) { return text }
                // `main.ZITEM` is one name.
                (function, namesTable, namedTable) = (nil, text == "." && namedTable, false)
            case .literal: (function, namesTable, namedTable) = (nil, false, false)
            }
        }
        return nil
    }
}

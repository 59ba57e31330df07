import CSQLite

/// The code in a file's schema: triggers, and the expressions of tables and indexes. SQLite runs it whenever a row is
/// written; its author may be an attacker.
///
/// The triggers of derived attributes are such code, and people add their own. Code is accepted if its run time is
/// bounded. Recursive queries, and functions whose cost is out of proportion to their arguments, are rejected.
/// ``TriggerLimit`` limits the number of rows that a trigger visits. Views cannot be read at all.
enum SchemaCode {
    /// Functions whose cost is about that of reading their arguments. The article FileFormat lists them.
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
    /// Functions with the same property if they have one argument.
    static let harmlessFunctionsOfOneArgument: Set = ["ltrim", "rtrim", "trim"]
    /// Words before a bracket in the tables that ManagedStore and Core Data make, which are no functions.
    private static let bracketedWords: Set = ["varchar", "key"]
    private static let harmfulWords: Set = ["with", "recursive"]
    private static let harmfulOperators: Set = ["||"]
    /// The clauses that make SQLite report rows as written that it did not write, or delete rows that no statement
    /// named.
    private static let silencers = [
        ("raise", "(", "ignore"), ("on", "conflict", "replace"), ("on", "conflict", "ignore"),
    ]
    /// The words that a table's name follows, rather than a function's. In an index, `ON` is another.
    private static let namingWords: Set = ["table", "into", "references", "exists"]

    /// Without triggers, statements only ever write the tables of the store.
    private static let query = """
        SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND type <> 'view' \
        AND NOT (type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE %') \
        AND (tbl_name LIKE 'Z%' OR EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'trigger'))
        """

    /// Checks all code.
    ///
    /// - Throws: `StoreError` with `incompatibleStore` for code whose run time is unbounded.
    static func check(_ connection: Connection) throws(StoreError) {
        // Few schemas call functions, and to list those that there are takes a quarter of the time to open a file.
        var known: Set<String>?
        func isHarmful(_ function: String) throws(StoreError) -> Bool {
            if harmlessFunctions.contains(function) || bracketedWords.contains(function) { return false }
            if let known { return known.contains(function) }
            let functions = try functions(connection)
            known = functions
            return functions.contains(function)
        }
        let rows = try connection.statement(query)
        defer { rows.reset() }
        while try rows.step() {
            let (type, name) = (rows.string(0), rows.string(1))
            if let silencer = silencer(in: rows.bytes(2)) {
                throw StoreError(
                    .incompatibleStore,
                    "\(connection.path): the \(type) \(name) has \(silencer), which can drop rows without an "
                        + "error; let the \(type) raise an error, or drop it. The file was not changed")
            }
            guard let found = try offence(in: rows.bytes(2), isIndex: type == "index", isHarmful) else { continue }
            throw StoreError(
                .incompatibleStore,
                "\(connection.path): the \(type) \(name) uses \(found), which may take unbounded time whenever a row "
                    + "is saved; drop the \(type), or take \(found) out of it. The file was not changed")
        }
    }

    private static func functions(_ connection: Connection) throws(StoreError) -> Set<String> {
        let rows = try connection.statement("SELECT DISTINCT lower(name) FROM pragma_function_list")
        defer { rows.reset() }
        var names = Set<String>()
        while try rows.step() { names.insert(rows.string(0)) }
        return names
    }

    /// Returns the first such clause.
    private static func silencer(in sql: UnsafeRawBufferPointer) -> String? {
        var tokens = SQLTokens(sql)
        var last = ("", "", "")
        while let token = tokens.next() {
            let next =
                switch token {
                case .name(let text, isQuoted: false): text.lowercased()
                case .symbol(let text): text
                default: ""
                }
            last = (last.1, last.2, next)
            if silencers.contains(where: { $0 == last }) { return "\(last.0) \(last.1) \(last.2)".uppercased() }
        }
        return nil
    }

    /// Whether the call whose opening bracket was just read has more than one argument.
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

    /// Returns the first element that is not accepted.
    private static func offence(
        in sql: UnsafeRawBufferPointer, isIndex: Bool, _ isHarmful: (String) throws(StoreError) -> Bool
    ) throws(StoreError) -> String? {
        var tokens = SQLTokens(sql)
        // The name just read, if it may be a function's; whether the next name is a table's; and whether the name just
        // read was a table's.
        var (function, namesTable, namedTable) = (String?.none, false, false)
        while let token = tokens.next() {
            switch token {
            case .name(let text, let isQuoted):
                let name = text.lowercased()
                if !isQuoted, harmfulWords.contains(name) { return text }
                (function, namedTable) = (namesTable ? nil : name, namesTable)
                namesTable = !isQuoted && (namingWords.contains(name) || isIndex && name == "on")
            case .symbol("("):
                if let function, try isHarmful(function) {
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

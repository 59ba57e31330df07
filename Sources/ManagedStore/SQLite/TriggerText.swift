/// The effects of a trigger, as far as its text shows them.
struct TriggerText {
    /// The columns that it sets, by table; names are in capitals.
    private(set) var columns: [String: Set<String>] = [:]
    /// The tables in which it inserts, changes or deletes rows.
    private(set) var tables: Set<String> = []
    /// Whether it reports the changed rows to Core Data: the columns that it sets then belong to derived attributes.
    private(set) var reports = false

    private static let reporting = "AFFECTEDOBJECTVALUE"
    private var words: ArraySlice<String>

    /// Reads `CREATE TRIGGER ... BEGIN UPDATE ZBOOK SET ZPAGESCOUNT = ... WHERE ...; SELECT ...; END`.
    init(_ sql: String) {
        let all = SQLWords(sql).words
        reports = all.contains { $0.hasSuffix(Self.reporting) }
        words = all.drop { $0 != "BEGIN" }
        while let word = words.popFirst() {
            switch word {
            case "UPDATE": readUpdate()
            case "INTO": if let table = words.popFirst() { tables.insert(table) }
            case "FROM" where isDeletion: if let table = words.popFirst() { tables.insert(table) }
            default: isDeletion = word == "DELETE"
            }
        }
        words = []
    }

    /// Whether the previous word was `DELETE`, so that `FROM` names a table that loses rows.
    private var isDeletion = false

    private mutating func readUpdate() {
        while let word = words.first, word == "OR" || ["ROLLBACK", "ABORT", "REPLACE", "FAIL", "IGNORE"].contains(word)
        {
            words.removeFirst()
        }
        guard let table = words.popFirst(), words.contains("SET") else { return }
        tables.insert(table)
        words = words.drop { $0 != "SET" }.dropFirst()
        // Each assignment is a column, "=", and an expression up to the next comma outside of its parentheses.
        while words.count > 2, words[words.startIndex + 1] == "=", let column = words.popFirst() {
            columns[table, default: []].insert(column)
            skipExpression()
        }
    }

    private mutating func skipExpression() {
        var depth = 0
        while let word = words.first {
            if depth == 0, ["WHERE", "FROM", ";"].contains(word) { return }
            words.removeFirst()
            if depth == 0, word == "," { return }
            depth += word == "(" ? 1 : word == ")" ? -1 : 0
        }
    }
}

/// The words of an SQL text: names in capitals, quoted or not, and symbols. Strings, numbers and comments are left out.
private struct SQLWords {
    private(set) var words: [String] = []

    init(_ sql: String) {
        var sql = sql
        sql.withUTF8 { bytes in
            var tokens = SQLTokens(UnsafeRawBufferPointer(bytes))
            while let token = tokens.next() {
                switch token {
                case .name(let text, _): words.append(text.uppercased())
                case .symbol(let sign): words.append(sign)
                case .literal: continue
                }
            }
        }
    }
}

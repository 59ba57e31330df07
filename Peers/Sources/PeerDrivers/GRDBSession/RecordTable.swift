import BenchHarness

/// Where the records of an entity lie in the file that the baseline driver has made.
struct RecordTable: Sendable {
    let entity: EntitySpec
    /// `ZITEM` for `Item`.
    let name: String
    /// The attributes' columns, in the entity's order: `ZNAME`, `ZCREATEDAT`, `ZDONE`.
    let columns: [String]

    init(_ entity: EntitySpec) {
        self.entity = entity
        name = "Z" + entity.name.uppercased()
        columns = entity.attributes.map { "Z" + $0.name.uppercased() }
    }

    /// Returns the statement that inserts a row, or replaces the values of the one with the same value of the attribute
    /// at `key`; SQLite chooses the key of a new row.
    func upsertion(by key: Int) -> String {
        let places = columns.map { _ in "?" }.joined(separator: ", ")
        let changes = columns.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
        return "INSERT INTO \(name) (Z_ENT, Z_OPT, \(columns.joined(separator: ", "))) VALUES (1, 1, \(places)) "
            + "ON CONFLICT (\(columns[key])) DO UPDATE SET \(changes), Z_OPT = Z_OPT + 1"
    }

    /// The position of the attribute called `name`.
    func attribute(_ name: String) throws -> Int { try entity.position(of: name) }

    /// The key of the record with an ordinal.
    static func key(_ ordinal: Int) -> Int64 { Int64(ordinal) + 1 }

    /// The ordinal of the record with a key.
    static func ordinal(_ key: Int64) -> Int { Int(key) - 1 }
}

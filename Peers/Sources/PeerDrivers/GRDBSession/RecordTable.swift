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

    /// The position of the attribute called `name`.
    func attribute(_ name: String) throws -> Int { try entity.position(of: name) }

    /// The key of the record with an ordinal.
    static func key(_ ordinal: Int) -> Int64 { Int64(ordinal) + 1 }

    /// The ordinal of the record with a key.
    static func ordinal(_ key: Int64) -> Int { Int(key) - 1 }
}

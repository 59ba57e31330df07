import Foundation

/// The tables, columns and entities of a file. The names of tables and columns are in capitals, since SQLite ignores
/// their case.
struct FileSchema: ExistingTables {
    /// Core Data reserves the numbers from this one on for the entities of its persistent history.
    static let firstReservedNumber = 16_000

    let tables: [String: [String: ExistingColumn]]
    /// The computed columns by table, which cannot be written. ``tables`` does not contain them.
    let generated: [String: Set<String>]
    /// The kind of every table, index, view and trigger, by name.
    private let kinds: [String: String]
    let entities: [ExistingEntity]
    /// Whether Apple's Core Data wrote the file. It stores hashes of the model's entities in the metadata.
    let isCoreDatas: Bool
    /// What the store has noted for ``RequiredDefaults``; nil if it has no note.
    let notedDefaults: Set<String>?
    let triggers: [TriggerText]
    private let byName: [String: ExistingEntity]
    private let byNumber: [Int: ExistingEntity]
    /// The number of each entity's root entity, by the entity's number.
    private let roots: [Int: Int]
    /// A limit beyond the size of any model.
    private static let entityLimit = 65_536

    /// The entities whose names in the file and in the model differ.
    let renames: EntityRenames
    private let content: Content

    /// A table, an index, a view or a trigger, as `sqlite_master` has it.
    private struct Item: Equatable {
        let kind: String
        let name: String
        /// The `CREATE` statement; empty for an index that a table's declaration made.
        let sql: String
    }

    /// What a schema is made from.
    private struct Content: Equatable {
        let items: [Item]
        /// The entities with their names in the file.
        let entities: [ExistingEntity]
        let plist: Data
    }

    /// Reads a file's schema; returns `known` if the file still has that one.
    ///
    /// A store that opens looks at its file twice, before it changes anything and within the write lock. To read the
    /// schema anew takes a fifth of all its time.
    ///
    /// - Throws: `StoreError` with `incompatibleStore` if the file is not a store.
    static func read(
        _ connection: Connection, _ model: ManagedObjectModel, known: FileSchema? = nil
    ) throws(StoreError) -> FileSchema {
        let schema: FileSchema
        if let known, try known.isThere(on: connection) {
            schema = known
        } else {
            schema = try FileSchema(connection, model)
        }
        if !schema.triggers.isEmpty { connection.limitTriggers() }
        return schema
    }

    private func isThere(on connection: Connection) throws(StoreError) -> Bool {
        // The other two need the tables.
        guard try content.items == Self.items(connection) else { return false }
        guard try content.entities == Self.entities(connection, tables) else { return false }
        return try content.plist == SQLiteStore.plist(connection)
    }

    private init(_ connection: Connection, _ model: ManagedObjectModel) throws(StoreError) {
        (tables, generated) = try Self.columns(connection)
        let items = try Self.items(connection)
        kinds = Dictionary(items.map { ($0.name, $0.kind) }, uniquingKeysWith: { $1 })
        triggers = items.filter { $0.kind == "trigger" }.map { TriggerText($0.sql) }
        guard Set(tables["Z_PRIMARYKEY", default: [:]].keys).isSuperset(of: ["Z_ENT", "Z_NAME", "Z_MAX"]) else {
            throw StoreError(
                .incompatibleStore, "\(connection.path) is a SQLite file, but not a store: it has no Z_PRIMARYKEY table"
            )
        }
        try SchemaCode.check(connection)
        content = Content(
            items: items, entities: try Self.entities(connection, tables), plist: try SQLiteStore.plist(connection))
        let (entities, plist) = (content.entities, content.plist)
        isCoreDatas = StoreMetadata.isCoreDatas(plist)
        notedDefaults = StoreMetadata.required(plist)
        let numbered = Dictionary(entities.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
        roots = Self.roots(entities, numbered)
        renames = EntityRenames(
            model, entities, numbered, roots, tables, hashed: StoreMetadata.hashedEntities(plist))
        self.entities = entities.map(renames.renamed)
        byName = Dictionary(self.entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        byNumber = numbered.mapValues(renames.renamed)
    }

    private static func items(_ connection: Connection) throws(StoreError) -> [Item] {
        let rows = try connection.statement("SELECT type, upper(name), sql FROM sqlite_master")
        var items: [Item] = []
        while try rows.step() { items.append(Item(kind: rows.string(0), name: rows.string(1), sql: rows.string(2))) }
        return items
    }

    private static func entities(
        _ connection: Connection, _ tables: [String: [String: ExistingColumn]]
    ) throws(StoreError) -> [ExistingEntity] {
        let hasSuper = tables["Z_PRIMARYKEY"]?["Z_SUPER"] != nil
        let rows = try connection.statement(
            "SELECT Z_NAME, Z_ENT, \(hasSuper ? "Z_SUPER" : "0") FROM Z_PRIMARYKEY ORDER BY Z_ENT "
                + "LIMIT \(entityLimit + 1)")
        defer { rows.reset() }
        var entities: [ExistingEntity] = []
        while try rows.step() {
            guard entities.count < entityLimit else {
                throw StoreError(
                    .incompatibleStore,
                    "\(connection.path): Z_PRIMARYKEY has more than \(entityLimit) rows, one for each entity; "
                        + "restore the file from a copy; it was left as it is"
                )
            }
            entities.append(
                ExistingEntity(name: rows.string(0), number: Int(rows.int64(1)), superNumber: Int(rows.int64(2))))
        }
        return entities
    }

    private typealias Columns = (written: [String: [String: ExistingColumn]], generated: [String: Set<String>])

    /// Returns the columns of ordinary tables. A store's tables are neither views nor virtual tables.
    private static func columns(_ connection: Connection) throws(StoreError) -> Columns {
        let rows = try connection.statement(
            """
            SELECT upper(t.name), upper(c.name), upper(c.type), c."notnull" AND c.dflt_value IS NULL AND NOT c.pk, c.pk, c.hidden \
            FROM sqlite_master t JOIN pragma_table_xinfo(t.name) c \
            WHERE t.type = 'table' AND t.name LIKE 'Z%' AND t.sql NOT LIKE 'CREATE VIRTUAL%'
            """)
        var (written, generated): Columns = ([:], [:])
        while try rows.step() {
            let (table, column) = (rows.string(0), rows.string(1))
            if rows.int64(5) != 0 {
                generated[table, default: []].insert(column)
            } else {
                written[table, default: [:]][column] = ExistingColumn(
                    type: rows.string(2), isRequired: rows.int64(3) != 0, isPrimaryKey: rows.int64(4) != 0)
            }
        }
        return (written, generated)
    }

    /// Returns the obstacle to a `CREATE TABLE` or `CREATE INDEX`: another item of that name.
    func obstacle(to sql: String) -> String? {
        var words = sql.split(separator: " ").prefix(6)
        guard words.popFirst() == "CREATE", let kind = words.popFirst()?.lowercased() else { return nil }
        let mayBeThere = words.first == "IF"
        if mayBeThere { words = words.dropFirst(3) }
        guard let name = words.first.map(String.init), let found = kinds[name.uppercased()] else { return nil }
        if mayBeThere, found == kind { return nil }
        return "the file has the \(found) \(name) where the \(kind) \(name) has to be made: rename or drop it"
    }

    func entity(named name: String) -> ExistingEntity? { byName[name] }

    func superentity(of entity: ExistingEntity) -> ExistingEntity? {
        entity.superNumber == 0 ? nil : byNumber[entity.superNumber]
    }

    /// Returns the number of the topmost superentity; in a cycle of superentities, the number of any of them.
    func root(of entity: ExistingEntity) -> Int { roots[entity.number] ?? entity.number }

    /// Visits every entity once, regardless of the length of the chains.
    private static func roots(_ entities: [ExistingEntity], _ byNumber: [Int: ExistingEntity]) -> [Int: Int] {
        var roots: [Int: Int] = [:]
        for entity in entities where roots[entity.number] == nil {
            var (last, passed) = (entity, [entity.number])
            // Provisionally its own root, so that a cycle ends.
            roots[entity.number] = entity.number
            while last.superNumber != 0, let above = byNumber[last.superNumber] {
                last = above
                if roots[above.number] != nil { break }
                roots[above.number] = above.number
                passed.append(above.number)
            }
            let root = roots[last.number] ?? last.number
            for number in passed { roots[number] = root }
        }
        return roots
    }

    var noun: String { "file" }
    var tableNames: [String] { Array(tables.keys) }

    func columns(of table: String) -> [String: ExistingColumn]? { tables[table] }

    func tableName(of entity: EntityDescription) -> String {
        let name = EntityTable.name(of: entity)
        guard tables[name] == nil, let former = renames.formerNames[entity.root.name] else { return name }
        return "Z" + former.uppercased()
    }

    func fits(_ type: AttributeType, _ column: ExistingColumn) -> Bool { type.fits(declared: column.type) }
    func isKey(_ column: ExistingColumn) -> Bool { column.type == "INTEGER" }

    /// Returns the numbers of the model's entities, in its order.
    func numbers(of model: ManagedObjectModel) -> [Int] {
        numbers(of: model, after: entities.map(\.number).filter { $0 < Self.firstReservedNumber }.max() ?? 0)
    }

    func rootsWithStrangers(_ model: ManagedObjectModel) -> Set<Int> {
        let known = Set(model.entities.map(\.name))
        let strangers = Set(entities.filter { !known.contains($0.name) }.map { root(of: $0) })
        return Set(
            model.hierarchy.roots.filter { position in
                entity(named: model.entities[position].name).map { strangers.contains(root(of: $0)) } ?? false
            })
    }
}

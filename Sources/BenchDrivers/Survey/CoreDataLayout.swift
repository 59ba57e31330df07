import BenchHarness

/// The entities of a file in Core Data's layout, which ManagedStore writes too.
struct CoreDataLayout {
    let sources: [SurveySource]
    private(set) var remarks: [String] = []

    /// Nil for a file in another layout.
    init?(_ connection: PlainConnection, _ tables: [StoredTable]) throws {
        let names = Set(tables.map(\.name))
        guard names.isSuperset(of: ["Z_PRIMARYKEY", "Z_METADATA"]) else { return nil }
        let entities = try Self.entities(connection)
        var sources: [SurveySource] = []
        for (number, entity) in entities.sorted(by: { $0.key < $1.key }) {
            let root = Self.root(of: number, entities)
            let name = "Z" + (entities[root]?.name ?? entity.name).uppercased()
            // The history of the file, which Core Data keeps in ACHANGE and others, is none of the application's.
            if number > 16_000, names.contains("A\(entity.name)") { continue }
            guard let table = tables.first(where: { $0.name.uppercased() == name }) else {
                remarks.append("the entity \(entity.name) has no table \(name)")
                continue
            }
            // Entities of one hierarchy share a table.
            let isShared = entity.parent > 0 || entities.values.contains { $0.parent == number }
            sources.append(Self.source(entity.name, table, condition: isShared ? "Z_ENT = \(number)" : nil))
        }
        self.sources = sources
        // Z_1TAGS joins the entity 1 with another.
        remarks += names.sorted().filter { $0.hasPrefix("Z_") && $0.dropFirst(2).first?.isNumber == true }
            .map { "the many-to-many relationship in \($0) is left out" }
    }

    private static func entities(
        _ connection: PlainConnection
    ) throws -> [Int64: (name: String, parent: Int64)] {
        let rows = try connection.prepare("SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY WHERE Z_NAME IS NOT NULL")
        var entities: [Int64: (String, Int64)] = [:]
        while try rows.step() { entities[rows.int64(0)] = (rows.string(1), rows.int64(2)) }
        return entities
    }

    /// The entity at the top of a hierarchy. A file may say that one is its own parent.
    private static func root(of number: Int64, _ entities: [Int64: (name: String, parent: Int64)]) -> Int64 {
        var root = number
        for _ in entities {
            guard let parent = entities[root]?.parent, entities[parent] != nil else { break }
            root = parent
        }
        return root
    }

    private static func source(_ name: String, _ table: StoredTable, condition: String?) -> SurveySource {
        var (attributes, references) = ([SurveySource.Attribute](), [SurveySource.Reference]())
        for column in table.columns where isProperty(column.name) {
            let indexes = table.indexes[column.name] ?? []
            let property = propertyName(column.name, indexes)
            // Only relationships have an index of this name.
            if indexes.contains(where: { $0.uppercased() == "\(table.name)_\(column.name)_INDEX".uppercased() }) {
                references.append(
                    SurveySource.Reference(
                        name: property, column: column.name, table: nil,
                        from: SurveySource.rows(of: table, condition)))
            } else {
                attributes.append(
                    SurveySource.Attribute(
                        name: property, column: column, isUnique: table.uniqueColumns.contains(column.name),
                        isIndexed: !indexes.isEmpty))
            }
        }
        return SurveySource(
            name: name, table: table, attributes: attributes, references: references, condition: condition,
            hasDates: true)
    }

    /// Whether a column holds a property: `ZNAME`, and neither `Z_PK` nor `Z3_FOLDER`.
    private static func isProperty(_ column: String) -> Bool {
        let rest = column.dropFirst()
        return column.uppercased().hasPrefix("Z") && !rest.isEmpty && !rest.drop(while: \.isNumber).hasPrefix("_")
    }

    /// The name of the property in a column: in capitals there, but an index such as `Z_Item_INDEX_createdAt` may have
    /// it as it is.
    private static func propertyName(_ column: String, _ indexes: [String]) -> String {
        let name = String(column.dropFirst())
        let endings = indexes.compactMap { $0.split(separator: "_").last.map(String.init) }
        if let ending = endings.first(where: { $0.uppercased() == name.uppercased() && $0 != $0.uppercased() }) {
            return ending
        }
        // Xcode calls an index of createdAt byCreatedAtIndex, and people byCreatedAt.
        let words = endings.compactMap { $0.firstMatch(of: /^by(.+?)(Index)?$/).map { String($0.output.1) } }
        guard let word = words.first(where: { $0.uppercased() == name.uppercased() && $0 != $0.uppercased() }) else {
            return name.lowercased()
        }
        return word.prefix(1).lowercased() + word.dropFirst()
    }
}

/// Checks that apply only to files that Core Data wrote.
extension SchemaFit {
    /// Records the attributes that triggers maintain, the values in Core Data's own form, and the references that the
    /// model does not know.
    mutating func noteWhatCoreDataKeeps(_ connection: Connection) throws(StoreError) {
        noteTriggers()
        guard file.isCoreDatas else { return }
        let external = ExternalData(storeAt: path ?? connection.path)
        externalData = external
        let strangers = try StrangerReferences(self, connection)
        for position in tables.indices {
            let attributes = tables[position].source.entity.attributes
            tables[position].archived = attributes.indices.filter { attributes[$0].attributeType == .transformable }
            tables[position].externals = attributes.indices.filter { attributes[$0].allowsExternalBinaryDataStorage }
            tables[position].strangers = strangers.references(to: tables[position])
            try compareData(tables[position], external, connection)
        }
    }

    private mutating func noteTriggers() {
        var columns: [String: Set<String>] = [:]
        for trigger in file.triggers where trigger.reports { columns.merge(trigger.columns) { $0.union($1) } }
        let silent = file.triggers.filter { !$0.reports }.reduce(into: Set<String>()) { $0.formUnion($1.tables) }
        for position in tables.indices {
            let table = tables[position]
            tables[position].isChangedSilently = silent.contains(table.name)
            guard let kept = columns[table.name] else { continue }
            tables[position].derived = table.source.entity.attributes.indices.filter {
                kept.contains(table.columns[$0])
            }
        }
    }

    /// Compares the stored form of an entity's own binary data with the model's description.
    private mutating func compareData(
        _ table: EntityTable, _ external: ExternalData, _ connection: Connection
    ) throws(StoreError) {
        let own = table.source.entity.ownAttributes
        for (attribute, column) in zip(own, table.columns[own.startIndex...])
        where attribute.attributeType == .binaryData {
            let name = "\(table.source.entity.name).\(attribute.name) (\(table.name).\(column))"
            let sample = try MarkedValues(column, table, connection)
            if attribute.allowsExternalBinaryDataStorage {
                guard sample.hasUnmarked else { continue }
                differences.append(
                    "\(name) holds values without the mark of an attribute that allows external storage; set "
                        + "allowsExternalBinaryDataStorage to false")
            } else if try MarkedValues.hasReference(column, table, connection) {
                differences.append("\(name) refers to files in \(external.folder): \(Self.externalAdvice)")
            } else if sample.hasMarked, !sample.hasUnmarked, external.exists {
                differences.append(
                    "\(name) holds nothing but values marked as those of an attribute that allows external storage, and there is the "
                        + "folder \(external.folder): \(Self.externalAdvice)")
            }
        }
    }

    private static let externalAdvice = "set allowsExternalBinaryDataStorage in its AttributeDescription"
}

/// Whether the values of a column begin as those that Core Data may keep outside of the file.
private struct MarkedValues {
    private(set) var hasMarked = false
    private(set) var hasUnmarked = false

    /// The number of values to read, which suffices: Core Data marks every value that it may store outside, and SQLite
    /// reads a value whole to return its start.
    private static let sampleSize = 20

    init(_ column: String, _ table: EntityTable, _ connection: Connection) throws(StoreError) {
        let rows = try connection.statement(
            "SELECT substr(\(column), 1, 1) FROM \(table.name) WHERE \(column) IS NOT NULL LIMIT \(Self.sampleSize)")
        while try rows.step() {
            if [1, 2].contains(rows.bytes(0).first) { hasMarked = true } else { hasUnmarked = true }
        }
    }

    /// Whether a value is a reference to a file. SQLite determines a value's length without reading the value.
    static func hasReference(
        _ column: String, _ table: EntityTable, _ connection: Connection
    ) throws(StoreError) -> Bool {
        let rows = try connection.statement("SELECT \(column) FROM \(table.name) WHERE length(\(column)) = 38")
        defer { rows.reset() }
        while try rows.step() {
            if ExternalData.fileName(rows.bytes(0)) != nil { return true }
        }
        return false
    }
}

/// Assigns numbered columns to the entities of a table that have properties of the same name.
///
/// A file does not record this assignment, but its rows show it: the rows of an entity have values only in its own
/// columns. This evidence is needed if the numbers may be in another order than ours: in a file that Core Data wrote,
/// one with entities that the model does not have, and one with more or fewer such columns than the model has
/// properties.
struct ColumnEvidence {
    let file: FileSchema
    let model: ManagedObjectModel
    let numbers: [Int]
    let connection: Connection
    /// The columns that the rows cannot assign.
    private(set) var contradictions: [String] = []
    private(set) var choices: [ColumnNames.Property: String] = [:]

    init(
        _ file: FileSchema, _ model: ManagedObjectModel, _ numbers: [Int], _ connection: Connection
    ) throws(StoreError) {
        (self.file, self.model, self.numbers, self.connection) = (file, model, numbers, connection)
        let withStrangers = file.rootsWithStrangers(model)
        for (root, namesakes) in ColumnNames(model).namesakes {
            let isOthers = file.isCoreDatas || withStrangers.contains(root)
            let table = file.tableName(of: model.entities[root])
            for (base, properties) in namesakes {
                let columns = numbered(base, table, Set(namesakes.keys))
                if isOthers || columns.count != properties.count { try choose(properties, columns, table) }
            }
        }
    }

    private func numbered(_ base: String, _ table: String, _ bases: Set<String>) -> [String] {
        // A property's name may itself end in a number.
        file.tables[table, default: [:]].keys.filter { $0.isNumbered(base) && ($0 == base || !bases.contains($0)) }
            .sorted { ($0.count, $0) < ($1.count, $1) }
    }

    private mutating func choose(
        _ properties: [ColumnNames.Property], _ columns: [String], _ table: String
    ) throws(StoreError) {
        guard columns.count > 1 else { return }
        var (free, undecided) = (columns, [ColumnNames.Property]())
        for property in properties {
            let used = try columnsInUse(by: property, among: columns, table)
            guard let column = used.first else {
                undecided.append(property)
                continue
            }
            let isMine = used.count == 1 && free.contains(column)
            if !isMine { contradictions.append(contradiction(property, used, table)) }
            choices[property] = column
            free.removeAll { $0 == column }
        }
        for property in undecided {
            guard let index = free.firstIndex(where: { fits(property, $0, table) }) else { continue }
            choices[property] = free.remove(at: index)
        }
    }

    private func contradiction(_ property: ColumnNames.Property, _ used: [String], _ table: String) -> String {
        "the rows of table \(table) do not show which of its columns holds "
            + "\(model.entities[property.entity].name).\(property.name): \(used.joined(separator: ", "))"
    }

    private func fits(_ property: ColumnNames.Property, _ column: String, _ table: String) -> Bool {
        (property.type ?? .objectID).fits(declared: file.tables[table]?[column]?.type ?? "")
    }

    /// Returns the columns in which rows of the property's entity have values.
    private func columnsInUse(
        by property: ColumnNames.Property, among columns: [String], _ table: String
    ) throws(StoreError) -> [String] {
        guard file.has("Z_ENT", in: table) else { return [] }
        let entities = model.hierarchy.families[property.entity].map { String(numbers[$0]) }.joined(separator: ", ")
        var used: [String] = []
        for column in columns where fits(property, column, table) {
            let row = try connection.statement(
                "SELECT 1 FROM \(table) WHERE Z_ENT IN (\(entities)) AND \(column) IS NOT NULL LIMIT 1")
            defer { row.reset() }
            if try row.step() { used.append(column) }
        }
        return used
    }
}

extension AttributeType {
    /// Whether a column of the declared type can hold the attribute's values; a column without a type can hold any.
    func fits(declared type: String) -> Bool {
        let words =
            switch column {
            case .boolean, .integer: ["INT", "BOOL"]
            case .timestamp: ["TIMESTAMP", "DATE", "FLOA", "REAL", "DOUB"]
            case .real: ["FLOA", "REAL", "DOUB"]
            case .decimal: ["DEC", "NUM"]
            case .text: ["CHAR", "TEXT", "CLOB"]
            case .blob: ["BLOB"]
            }
        return type.isEmpty || words.contains { type.contains($0) }
    }
}

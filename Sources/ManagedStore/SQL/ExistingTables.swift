/// A column of an existing database.
struct ExistingColumn {
    /// The declared type, as the database spells it.
    let type: String
    /// Whether an inserted row must have a value for it.
    let isRequired: Bool
    let isPrimaryKey: Bool
}

/// A row of `Z_PRIMARYKEY`.
struct ExistingEntity: Equatable {
    let name: String
    let number: Int
    /// The number of the superentity; 0 if there is none.
    let superNumber: Int
}

/// The facts about an existing database's tables that locate a model's entities in it. The names of tables and columns
/// are in capitals.
protocol ExistingTables {
    /// What messages call the database.
    var noun: String { get }
    /// Whether Apple's Core Data created the tables.
    var isCoreDatas: Bool { get }
    var tableNames: [String] { get }
    /// Returns the columns of a table that can be written, by their names; nil if there is no such table.
    func columns(of table: String) -> [String: ExistingColumn]?
    /// Returns a name of a table or column as the database keeps it.
    func kept(_ name: String) -> String
    /// Returns the table of an entity. The table of a renamed entity may have the former name.
    func tableName(of entity: EntityDescription) -> String
    func entity(named name: String) -> ExistingEntity?
    func superentity(of entity: ExistingEntity) -> ExistingEntity?
    /// Returns the positions of the root entities whose tables hold rows of entities that the model does not have.
    func rootsWithStrangers(_ model: ManagedObjectModel) -> Set<Int>
    /// Whether a column can hold values of a type.
    func fits(_ type: AttributeType, _ column: ExistingColumn) -> Bool
    /// Whether a column can hold the keys of a table's rows.
    func isKey(_ column: ExistingColumn) -> Bool
}

extension ExistingTables {
    func kept(_ name: String) -> String { name }

    func column(_ name: String, of table: String) -> ExistingColumn? { columns(of: table)?[kept(name)] }
    func has(_ column: String, in table: String) -> Bool { self.column(column, of: table) != nil }

    /// Returns the numbers of the model's entities, in its order: existing ones stay, new ones follow `highest`.
    func numbers(of model: ManagedObjectModel, after highest: Int) -> [Int] {
        var next = max(highest, 0) + 1
        var numbers = [Int](repeating: 0, count: model.entities.count)
        for position in model.hierarchy.numbering {
            if let known = entity(named: model.entities[position].name) {
                numbers[position] = known.number
            } else {
                numbers[position] = next
                next += 1
            }
        }
        return numbers
    }
}

/// The facts about an existing database's tables that locate a model's entities in it. The names of tables and columns
/// are in capitals.
protocol ExistingTables {
    /// Whether Apple's Core Data created the tables.
    var isCoreDatas: Bool { get }
    var tableNames: [String] { get }
    func columnNames(of table: String) -> [String]
    /// Returns the table of an entity. The table of a renamed entity may have the former name.
    func tableName(of entity: EntityDescription) -> String
    func has(_ column: String, in table: String) -> Bool
    /// Returns the positions of the root entities whose tables hold rows of entities that the model does not have.
    func rootsWithStrangers(_ model: ManagedObjectModel) -> Set<Int>
}

/// What a model has to know of the tables of an existing database, to find its entities among them. The names of tables
/// and columns are in capitals.
protocol ExistingTables {
    /// Whether Apple's Core Data made them.
    var isCoreDatas: Bool { get }
    var tableNames: [String] { get }
    func columnNames(of table: String) -> [String]
    /// The table of an entity: one that was renamed may lie in a table with its former name.
    func tableName(of entity: EntityDescription) -> String
    func has(_ column: String, in table: String) -> Bool
    /// The roots, by position in the model, whose tables hold rows of entities that the model does not have.
    func rootsWithStrangers(_ model: ManagedObjectModel) -> Set<Int>
}

import CSQLite

/// The entities that a file in Core Data's layout names in `Z_PRIMARYKEY`, and which inherits from which.
struct StoredEntities {
    private let entities: [Int64: (name: String, parent: Int64)]

    init(_ connection: PlainConnection) throws {
        let rows = try connection.prepare("SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY WHERE Z_NAME IS NOT NULL")
        var entities: [Int64: (String, Int64)] = [:]
        while try rows.step() { entities[rows.int64(0)] = (rows.string(1), rows.int64(2)) }
        self.entities = entities
    }

    /// The numbers of the entities, ascending.
    var numbers: [Int64] { entities.keys.sorted() }

    /// The names of the entities.
    var names: [Int64: String] { entities.mapValues(\.name) }

    /// The number of the entity called `name`.
    func number(of name: String) -> Int64? { numbers.first { entities[$0]?.name == name } }

    /// Whether an entity shares its table: with those that inherit from it, or with that from which it inherits.
    func isInHierarchy(_ number: Int64) -> Bool {
        entities[number]?.parent ?? 0 > 0 || !children(of: number).isEmpty
    }

    /// The entities that inherit from another directly.
    func children(of number: Int64) -> [Int64] {
        numbers.filter { $0 != number && entities[$0]?.parent == number }
    }

    /// An entity and all that inherit from it, directly or not.
    func family(of number: Int64) -> [Int64] {
        var family = [number]
        var place = 0
        while place < family.count {
            family += children(of: family[place]).filter { !family.contains($0) }
            place += 1
        }
        return family
    }

    /// The entity at the top of a hierarchy. A file may say that one is its own parent.
    func root(of number: Int64) -> Int64 {
        var root = number
        for _ in entities {
            guard let parent = entities[root]?.parent, entities[parent] != nil else { break }
            root = parent
        }
        return root
    }
}

@testable import ManagedStore

/// What is wrong with the references and links that a store has, asked of its rows.
struct StoreConsistency {
    private let store: any PersistentStore
    private let model: ManagedObjectModel
    /// By entity and key.
    private var rows: [Int: [Int64: RowReference]] = [:]
    private var pages: [FetchedRows] = []
    private(set) var faults: [String] = []

    /// The faults of a coordinator's store. What to-one relationships without an inverse lead to may be gone.
    static func faults(_ coordinator: PersistentStoreCoordinator) throws -> [String] {
        var check = StoreConsistency(try coordinator.requireStore(), coordinator.managedObjectModel)
        try check.read()
        for (entity, relationships) in check.model.graph.relationships.enumerated() {
            for relationship in relationships { try check.look(at: relationship, of: entity) }
        }
        return check.faults
    }

    private init(_ store: any PersistentStore, _ model: ManagedObjectModel) {
        (self.store, self.model) = (store, model)
    }

    private mutating func read() throws {
        for (entity, source) in store.sources.enumerated() {
            let found = try store.rows(FetchPlan(source: source, includesSubentities: false), FetchControl())
            pages.append(found)
            for row in found.references() { rows[entity, default: [:]][row.row.key] = row }
        }
    }

    private mutating func look(at relationship: ResolvedRelationship, of entity: Int) throws {
        for (key, row) in rows[entity, default: [:]] {
            let name = "\(model.entities[entity].name) \(key).\(relationship.name)"
            switch relationship.kind {
            case .toOne(let position): lookAtReference(relationship, position, row, name)
            case .toMany: continue
            case .manyToMany: try lookAtLinks(relationship, key, name)
            }
        }
    }

    private mutating func lookAtReference(
        _ relationship: ResolvedRelationship, _ position: Int, _ row: RowReference, _ name: String
    ) {
        guard let reference = model.entities[row.entityIndex].layout.fields[position].reference(in: row.row) else {
            if !relationship.description.isOptional { faults.append("\(name) is required and leads to nothing") }
            return
        }
        guard let inverse = relationship.inverse else { return }
        guard let target = rows[Int(reference.entity)]?[reference.key] else {
            return faults.append("\(name) leads to \(reference), which is not there")
        }
        guard case .toOne(let back) = model.graph.relationships[Int(reference.entity)][inverse].kind else { return }
        let returned = model.entities[Int(reference.entity)].layout.fields[back].reference(in: target.row)
        if returned?.key != row.row.key {
            faults.append("\(name) leads to \(reference), which leads to \(returned.map { "\($0)" } ?? "nothing")")
        }
    }

    private mutating func lookAtLinks(_ relationship: ResolvedRelationship, _ key: Int64, _ name: String) throws {
        guard let inverse = relationship.inverse else { return }
        let others = try store.relatedRows(to: key, by: relationship).rows
        pages.append(others)
        for other in others.references() {
            let back = model.graph.relationships[other.entityIndex][inverse]
            let found = try store.relatedRows(to: other.row.key, by: back).rows
            let isBack = withExtendedLifetime(found) { found.references().contains { $0.row.key == key } }
            if !isBack { faults.append("\(name) leads to \(other.row.key), which does not lead back") }
        }
    }
}

extension StoreConsistency {
    /// The links of a file of which one end is not there, and the entities of references that are not their targets'.
    static func faults(in database: RawDatabase, of store: any PersistentStore) throws -> [String] {
        guard let store = store as? SQLiteStore else { return [] }
        var faults: [String] = []
        for join in store.joins {
            for end in [join.first, join.second] {
                let table = store.tables[end.entity].name
                let rows = try database.lines(
                    "SELECT * FROM \(join.name) WHERE \(end.column) NOT IN (SELECT Z_PK FROM \(table))")
                faults += rows.map { "\(join.name) has \($0), which is not in \(table)" }
            }
        }
        for table in store.tables {
            for (field, reference) in table.references {
                guard let entity = reference.entityColumn else { continue }
                let target = store.tables[reference.destination].name
                let rows = try database.lines(
                    """
                    SELECT o.Z_PK FROM \(table.name) o JOIN \(target) t ON t.Z_PK = o.\(table.columns[field]) \
                    WHERE o.Z_ENT = \(table.entityNumber) AND o.\(entity) IS NOT t.Z_ENT
                    """)
                faults += rows.map { "\(table.name) \($0) has another entity in \(entity) than its target" }
            }
        }
        return faults
    }
}

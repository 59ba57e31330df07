/// The new numbers of a save in ordered relationships: those of new rows, which are written with the rows, and those of
/// other rows and of pairs.
///
/// To number a new row after it was written would write it twice.
struct SavedOrders {
    /// The numbers of new rows, by the position of their entity; empty without numbers.
    private var rows: [RowOrders] = []
    private(set) var changes: [OrderChanges]

    init(_ changes: ChangeSet, _ keys: PermanentKeys, _ tables: [EntityTable]) {
        self.changes = OrderChanges.all(changes.orders, keys)
        guard !self.changes.isEmpty, let families = tables.first?.source.model.hierarchy.families else { return }
        rows = tables.map { _ in RowOrders() }
        for index in self.changes.indices {
            let destination = self.changes[index].relationship.destination
            guard case .toMany(let field) = self.changes[index].relationship.kind,
                let column = tables[destination].references[field]?.orderColumn
            else { continue }
            for entity in families[destination] {
                let new = NewKeys(changes.entities[entity].inserts, first: keys.firstKeys[entity])
                let places = self.changes[index].removePlaces { new.contains($0) }
                if !places.isEmpty { rows[entity].insert(places, in: column, tables[entity]) }
            }
        }
    }

    /// Returns the numbers of an entity's new rows.
    func rows(of entity: Int) -> RowOrders { rows.isEmpty ? RowOrders() : rows[entity] }
}

/// The numbers of an entity's new rows in ordered relationships.
struct RowOrders {
    /// A column with numbers, and the field with the reference to the owner of the list.
    struct Column {
        let name: String
        let field: RowField
        fileprivate var numbers: [Place: Int64] = [:]
    }

    fileprivate struct Place: Hashable {
        let member: Int64
        let owner: Int64
    }

    /// All such columns of the entity's table; none if no new row has a number.
    private(set) var columns: [Column] = []

    /// - Parameter column: The column with the numbers. The rows of a subentity have it, too, but at another position.
    fileprivate mutating func insert(_ places: [OrderChanges.Place], in column: String, _ table: EntityTable) {
        let layout = table.source.entity.layout
        if columns.isEmpty {
            columns = table.references.sorted { $0.key < $1.key }.compactMap { field, reference in
                reference.orderColumn.map { Column(name: $0, field: layout.fields[field]) }
            }
        }
        guard let index = columns.firstIndex(where: { $0.name == column }) else { return }
        for place in places {
            columns[index].numbers[Place(member: place.member, owner: place.owner)] = place.number
        }
    }
}

extension RowOrders.Column {
    /// Returns the number of a row with a key; nil if the row has none in the list that it is in.
    func number(of row: RowReference, _ key: Int64, _ keys: PermanentKeys) -> Int64? {
        guard let owner = field.reference(in: row.row) else { return nil }
        return numbers[RowOrders.Place(member: key, owner: keys.permanent(owner.key))]
    }
}

/// The keys of an entity's new rows.
private struct NewKeys {
    /// The keys that the save assigned.
    private let assigned: Range<Int64>
    /// The keys that were reserved before.
    private let reserved: Set<Int64>

    init(_ rows: ContiguousArray<RowReference>, first: Int64) {
        reserved = Set(rows.lazy.map(\.row.key).filter { $0 >= 0 })
        assigned = first..<first + Int64(rows.count { $0.row.key < 0 })
    }

    func contains(_ key: Int64) -> Bool { assigned.contains(key) || reserved.contains(key) }
}

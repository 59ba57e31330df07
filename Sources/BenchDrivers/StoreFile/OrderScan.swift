import BenchHarness

/// Feeds the keys of the rows that a relationship keeps in order, those of each owning row as a record.
struct OrderScan {
    /// The statement that selects the keys of owning rows, each beside that of one of its rows.
    let selection: String
    /// The relationship that leads to the rows.
    private let relationship: String
    private var owner: Int64?

    /// Nil for a relationship that keeps no order.
    fileprivate init?(_ relationship: Schema.Relationship, of table: RecordTable) {
        guard let members = table.members(by: relationship.name), let order = members.order else { return nil }
        self.relationship = relationship.name
        let (own, key) = (members.own, members.key)
        selection = """
            SELECT \(own), \(key) FROM \(members.pairs) WHERE \(own) IS NOT NULL \
            ORDER BY \(own), \(order) NULLS FIRST, \(key) DESC
            """
    }

    /// Feeds a row of the statement.
    mutating func feed(_ next: Int64, _ key: Int64, to scan: inout StoreScan) {
        if owner != next {
            end(&scan)
            scan.values.add(relationship)
            scan.values.add(next)
            owner = next
        }
        scan.values.add(key)
    }

    /// Ends the last record, after all rows.
    mutating func end(_ scan: inout StoreScan) {
        if owner != nil { scan.endOwner() }
        owner = nil
    }
}

extension RecordTable {
    /// The readers of the orders that the entity's relationships to many keep.
    var orderScans: [OrderScan] { schema.entity.relationships.compactMap { OrderScan($0, of: self) } }
}

extension LinkTable {
    /// Feeds a pair.
    func feed(_ source: Int64, _ target: Int64, to scan: inout StoreScan) {
        scan.values.add(link.relationship)
        scan.values.add(source)
        scan.values.add(target)
        scan.endOwner()
    }
}

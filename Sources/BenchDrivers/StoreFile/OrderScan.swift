import BenchHarness

/// Feeds the keys of the rows that a relationship keeps in order, those of each owning row as a record.
struct OrderScan {
    /// The statement that selects the keys of owning rows, each beside that of one of its rows.
    let selection: String
    /// The relationship that leads to the rows.
    private let relationship: String
    private var owner: Int64?

    /// - Parameter toOne: A relationship of the rows of `table` whose inverse keeps an order.
    fileprivate init(_ toOne: ReferenceSpec, at place: Int, of table: RecordTable) {
        relationship = toOne.inverse
        let (column, order) = (table.toOneColumn(place), table.orderColumn(of: toOne))
        selection = """
            SELECT \(column), \(table.key) FROM \(table.name) WHERE \(column) IS NOT NULL \
            ORDER BY \(column), \(order) NULLS FIRST, \(table.key) DESC
            """
    }

    /// Nil for a many-to-many relationship that keeps no order.
    fileprivate init?(_ table: LinkTable) {
        guard let order = table.orderColumn else { return nil }
        relationship = table.link.relationship
        let (source, target) = (table.sourceColumn, table.targetColumn)
        selection = """
            SELECT \(source), \(target) FROM \(table.name) ORDER BY \(source), \(order) NULLS FIRST, \(target)
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
    /// The readers of the orders that the inverses of the entity's relationships keep, and its many-to-many ones.
    var orderScans: [OrderScan] {
        entity.toOnes.enumerated().filter(\.element.isOrdered).map { OrderScan($1, at: $0, of: self) }
            + links.compactMap(OrderScan.init)
    }
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

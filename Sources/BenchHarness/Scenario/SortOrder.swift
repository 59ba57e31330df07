/// ``SortSpec``s made ready for many records: attribute names are looked up once.
struct SortOrder: Sendable {
    /// Positions in the entity, the most significant key first.
    let attributes: [Int]
    private let ascending: [Bool]

    /// - Precondition: every key names an attribute of `entity`, as in every scenario that was read.
    init(_ sort: [SortSpec], entity: EntitySpec) {
        attributes = sort.map { spec in
            guard let attribute = entity.index(of: spec.key) else {
                preconditionFailure("a sort key names \(spec.key), which is no attribute of \(entity.name)")
            }
            return attribute
        }
        ascending = sort.map(\.ascending)
    }

    /// How the record with the sort keys `a` stands to the one with `b`.
    func order(_ a: [FieldValue], _ b: [FieldValue]) -> ValueOrder {
        for index in attributes.indices {
            let order = a[index].order(against: b[index])
            if order != .equal { return ascending[index] ? order : order.reversed }
        }
        return .equal
    }
}

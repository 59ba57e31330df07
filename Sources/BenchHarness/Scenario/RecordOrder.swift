/// ``SortSpec``s made ready for many records: attribute names are looked up once.
///
/// The rules, which every driver's own way of sorting must agree with: null comes first, false before true, numbers and
/// dates go by their size, strings and data by their bytes. A descending key turns all of that around. The first key
/// counts most. Records that are equal in every key may come in any order.
///
/// A store without a query language sorts by it, as it filters by ``RecordFilter``:
///
/// ```swift
/// let order = try RecordOrder(work.sort, of: entity)
/// records.sort(by: order.areInIncreasingOrder)
/// ```
public struct RecordOrder: Sendable {
    /// Positions in the entity, the most significant key first.
    let attributes: [Int]
    private let ascending: [Bool]

    /// Prepares `sort` for records of `entity`.
    ///
    /// - Throws: `RunError` for a key that is no attribute's name.
    public init(_ sort: [SortSpec], of entity: EntitySpec) throws(RunError) {
        var attributes: [Int] = []
        for spec in sort { attributes.append(try entity.position(of: spec.key)) }
        self.attributes = attributes
        ascending = sort.map(\.ascending)
    }

    /// - Precondition: every key names an attribute of `entity`, as in every scenario that was read.
    init(_ sort: [SortSpec], entity: EntitySpec) {
        do throws(RunError) {
            try self.init(sort, of: entity)
        } catch {
            preconditionFailure("\(error)")
        }
    }

    /// Whether a record must come before another; each is its values, in the order of the entity's attributes.
    public func areInIncreasingOrder(_ a: [FieldValue], _ b: [FieldValue]) -> Bool {
        areInIncreasingOrder({ a[$0] }, { b[$0] })
    }

    /// Whether a record must come before another; each tells its value of the attribute at a position in the entity.
    public func areInIncreasingOrder(_ a: (Int) -> FieldValue, _ b: (Int) -> FieldValue) -> Bool {
        for (attribute, ascends) in zip(attributes, ascending) {
            let order = a(attribute).order(against: b(attribute))
            if order != .equal { return (order == .less) == ascends }
        }
        return false
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

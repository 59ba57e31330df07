/// ``SortSpec``s made ready for many records: attribute names are looked up once.
///
/// The rules, which every driver's own way of sorting must agree with: null comes first, false before true, numbers and
/// dates go by their size, strings and data by their bytes. A descending key turns all of that around. The first key
/// counts most. Records that are equal in every key may come in any order. A key such as `list.name` sorts by the value
/// of the record that `list` leads to.
///
/// A store without a query language sorts by it, as it filters by ``RecordFilter``:
///
/// ```swift
/// let order = try RecordOrder(work.sort, of: entity)
/// records.sort(by: order.areInIncreasingOrder)
/// ```
public struct RecordOrder: Sendable {
    /// Positions in the entity, the most significant key first; that of the number for a key of related records.
    let attributes: [Int]
    private let ascending: [Bool]
    /// For a key of related records, the place of each in the order of its value, by number from 1; equal ones share
    /// it. Null for a value that is null, as for a record that leads nowhere.
    private let places: [[FieldValue]?]

    /// Prepares an order for records of an entity.
    ///
    /// - Parameters:
    ///   - sort: The keys, the most significant one first.
    ///   - entity: The entity of the records.
    ///   - targets: The records that the entity's relationships to one lead to, in the order of ``EntitySpec/toOnes``.
    /// - Throws: `RunError` for a key that is no attribute's name.
    public init(_ sort: [SortSpec], of entity: EntitySpec, targets: [TargetValues] = []) throws(RunError) {
        var attributes: [Int] = []
        var places: [[FieldValue]?] = []
        for spec in sort {
            if let (toOne, rest) = entity.reached(by: spec.key), toOne < targets.count {
                let value = targets[toOne].values(of: rest)
                attributes.append(entity.toOneAttributes.lowerBound + toOne)
                places.append(Self.places((0..<targets[toOne].count).map(value)))
            } else {
                attributes.append(try entity.position(of: spec.key))
                places.append(nil)
            }
        }
        (self.attributes, self.places) = (attributes, places)
        ascending = sort.map(\.ascending)
    }

    /// - Precondition: every key names an attribute, as in every scenario that was read.
    init(_ sort: [SortSpec], entity: EntitySpec, targets: [TargetValues]) {
        do throws(RunError) {
            try self.init(sort, of: entity, targets: targets)
        } catch {
            preconditionFailure("\(error)")
        }
    }

    /// Returns the place of each value in their order.
    private static func places(_ values: [FieldValue]) -> [FieldValue] {
        let sorted = values.indices.sorted { values[$0].order(against: values[$1]) == .less }
        var places = [Int64](repeating: 0, count: values.count)
        for (previous, next) in zip(sorted, sorted.dropFirst()) {
            let isEqual = values[previous].order(against: values[next]) == .equal
            places[next] = places[previous] + (isEqual ? 0 : 1)
        }
        return zip(values, places).map { $0 == .null ? .null : .int64($1) }
    }

    /// Returns what is compared by the key at an index, given the record's value of its attribute.
    func key(_ index: Int, _ value: FieldValue) -> FieldValue {
        guard let places = places[index], case .int64(let number) = value, number >= 1, number <= places.count else {
            return value
        }
        return places[Int(number) - 1]
    }

    /// Whether a record must come before another; each is its values, in the order of the entity's attributes.
    public func areInIncreasingOrder(_ a: [FieldValue], _ b: [FieldValue]) -> Bool {
        areInIncreasingOrder({ a[$0] }, { b[$0] })
    }

    /// Whether a record must come before another; each tells its value of the attribute at a position in the entity.
    public func areInIncreasingOrder(_ a: (Int) -> FieldValue, _ b: (Int) -> FieldValue) -> Bool {
        for (index, attribute) in attributes.enumerated() {
            let order = key(index, a(attribute)).order(against: key(index, b(attribute)))
            if order != .equal { return (order == .less) == ascending[index] }
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

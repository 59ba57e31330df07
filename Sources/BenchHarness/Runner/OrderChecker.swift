/// Checks that the records of a sequence are sorted: none may sort before its predecessor.
struct OrderChecker: Sendable {
    private let order: RecordOrder
    /// The sort keys that an attribute decides; several of a related record hang on its number.
    private let keys: [[Int]]
    private var attribute = 0
    private var current: [FieldValue]
    private var previous: [FieldValue]
    private var count = 0

    /// The index of the first record out of order; nil if there is none.
    private(set) var firstMisplaced: Int?

    /// The sort keys of the last record; nil before the first one.
    var lastKeys: [FieldValue]? { count > 0 ? previous : nil }

    init(sort: [SortSpec], entity: EntitySpec, targets: [TargetValues]) {
        order = RecordOrder(sort, entity: entity, targets: targets)
        keys = entity.attributes.indices.map { [order] attribute in
            order.attributes.indices.filter { order.attributes[$0] == attribute }
        }
        current = Array(repeating: .null, count: sort.count)
        previous = current
    }

    /// Takes the next value; `value` is only evaluated if the attribute is a sort key.
    @inline(__always)
    mutating func add(_ value: @autoclosure () -> FieldValue) {
        // The digest reveals a driver that feeds too many values; this code must not trap.
        if attribute < keys.count, !keys[attribute].isEmpty {
            let value = value()
            for key in keys[attribute] { current[key] = order.key(key, value) }
        }
        attribute += 1
    }

    mutating func endRecord() {
        if count > 0, firstMisplaced == nil, order.order(previous, current) == .greater { firstMisplaced = count }
        swap(&previous, &current)
        attribute = 0
        count += 1
    }
}

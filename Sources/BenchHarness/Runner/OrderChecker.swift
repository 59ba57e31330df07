/// Watches a sequence of records go by and tells whether each stands where a sort puts it: not before the one ahead of
/// it.
struct OrderChecker: Sendable {
    private let order: RecordOrder
    /// The rank of each attribute among the sort keys; nil for those that are none.
    private let rank: [Int?]
    private var attribute = 0
    private var current: [FieldValue]
    private var previous: [FieldValue]
    private var count = 0

    /// The index of the first record that stands wrong, or nil.
    private(set) var firstMisplaced: Int?

    init(sort: [SortSpec], entity: EntitySpec) {
        order = RecordOrder(sort, entity: entity)
        rank = entity.attributes.indices.map { [order] in order.attributes.firstIndex(of: $0) }
        current = Array(repeating: .null, count: sort.count)
        previous = current
    }

    /// Takes the next value; `value` is only made when the attribute is a sort key.
    @inline(__always)
    mutating func add(_ value: @autoclosure () -> FieldValue) {
        // A driver that feeds too many values is found out by its digest, not by a trap here.
        if attribute < rank.count, let rank = rank[attribute] { current[rank] = value() }
        attribute += 1
    }

    mutating func endRecord() {
        if count > 0, firstMisplaced == nil, order.order(previous, current) == .greater { firstMisplaced = count }
        swap(&previous, &current)
        attribute = 0
        count += 1
    }
}

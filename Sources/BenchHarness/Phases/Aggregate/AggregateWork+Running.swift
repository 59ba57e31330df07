import Dispatch

extension AggregateWork: PhaseWork, SingleWork {
    var modeName: String { function.rawValue }
    var capabilities: [Capability] { [.aggregating] }
    var changesStore: Bool { false }
    var decidingAttributes: [String]? { groupBy.map { [$0] } ?? [] }

    func queue(of session: any AggregatingSession) -> DispatchQueue { session.queue }

    func perform(
        _ session: any AggregatingSession, _ preparation: Void, _ scenario: Scenario, _ monitor: PhaseMonitor
    ) throws -> (any FetchedRecords)? {
        AggregatedRecords(groups: try session.aggregate(self))
    }

    func apply(to expected: inout ExpectedStore, _ preparation: Void, _ scenario: Scenario) -> Int? {
        expected.count(matching: filter)
    }

    func problems(_ outcome: PhaseOutcome, _ preparation: Void) throws -> [String] {
        let found = (outcome.fetched as? AggregatedRecords)?.groups ?? []
        return outcome.expected.problem(of: self, found).map { [$0] } ?? []
    }
}

/// The groups that a store made; each counts as a record.
private struct AggregatedRecords: FetchedRecords {
    let groups: [AggregatedGroup]
    var count: Int { groups.count }
    func digest(_ positions: Range<Int>, into digester: inout RecordDigester) throws {}
}

extension ExpectedStore {
    /// Returns what is wrong with the groups that a store made; nil if all is well.
    package func problem(of work: AggregateWork, _ found: [AggregatedGroup]) -> String? {
        let wanted = aggregates(of: work)
        var left = wanted
        for group in found {
            guard let sum = left.removeValue(forKey: group.group) else {
                return wanted[group.group] == nil
                    ? "there is a group of \(group.group.inWords); expected none"
                    : "there are two groups of \(group.group.inWords); expected one"
            }
            if let expected = sum.problem(work.function, group.value) {
                let name = work.groupBy == nil ? "" : " of the group of \(group.group.inWords)"
                return "the \(work.function.rawValue)\(name) is \(group.value.inWords); expected \(expected)"
            }
        }
        return left.isEmpty ? nil : "there are \(found.count) groups; expected \(wanted.count)"
    }

    private func aggregates(of work: AggregateWork) -> [FieldValue: AggregatedValues] {
        let entity = generator.entity
        let filter = work.filter.map { RecordFilter($0, in: self) }
        let attribute = work.attribute.flatMap { entity.index(of: $0) }
        let group = work.groupBy.map { entity.reader(of: $0, through: targets) }
        var values: [FieldValue: AggregatedValues] = group == nil ? [.null: AggregatedValues()] : [:]
        forEachRecord(matching: filter) { record in
            values[group?(record) ?? .null, default: AggregatedValues()].add(attribute.map { record[$0] } ?? .null)
        }
        return values
    }
}

/// The records of a group, and their values of an attribute.
private struct AggregatedValues {
    private var records: Int64 = 0
    private var count = 0
    private var minimum = FieldValue.null
    private var maximum = FieldValue.null
    /// The sum of whole numbers, which has room for any number of them.
    private var whole: Int128 = 0
    private var isWhole = false
    private var sum = 0.0
    /// The sum of the absolute values, which bounds the error of a sum in another order.
    private var magnitude = 0.0

    mutating func add(_ value: FieldValue) {
        records += 1
        guard value != .null else { return }
        count += 1
        if count == 1 || value.order(against: minimum) == .less { minimum = value }
        if value.order(against: maximum) == .greater { maximum = value }
        if case .int64(let number) = value {
            whole += Int128(number)
            isWhole = true
        }
        guard let number = value.number else { return }
        sum += number
        magnitude += number.magnitude
    }

    /// Returns the expected value in words if a store's is another; nil if it is right.
    func problem(_ function: AggregateWork.Function, _ found: FieldValue) -> String? {
        switch function {
        case .count: found == .int64(records) ? nil : "\(records)"
        case .minimum: found == minimum ? nil : minimum.inWords
        case .maximum: found == maximum ? nil : maximum.inWords
        case .sum where count == 0: found == .null || found.number == 0 ? nil : "0 or null"
        case .average where count == 0: found == .null ? nil : "null"
        case .sum: isSum(found) ? nil : isWhole ? "\(whole)" : "\(sum)"
        case .average: isNear(found, sum / Double(count), magnitude / Double(count)) ? nil : "\(sum / Double(count))"
        }
    }

    private func isSum(_ found: FieldValue) -> Bool {
        if isWhole, case .int64(let number) = found { return Int128(number) == whole }
        return isNear(found, sum, magnitude)
    }

    /// Whether a number differs from `wanted` by no more than the order of additions makes it differ.
    private func isNear(_ found: FieldValue, _ wanted: Double, _ magnitude: Double) -> Bool {
        guard let number = found.number else { return false }
        return (number - wanted).magnitude <= magnitude * 1e-9
    }
}

extension FieldValue {
    /// The value of a number.
    fileprivate var number: Double? {
        switch self {
        case .int64(let value): Double(value)
        case .double(let value): value
        default: nil
        }
    }
}

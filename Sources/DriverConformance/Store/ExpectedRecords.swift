import BenchHarness

/// The expected records, in their order, if it counts.
struct ExpectedRecords {
    private struct Record {
        /// The record's name in a failure: `record 5`.
        let name: String
        let values: [FieldValue]
        /// Its place in the order; records with the same rank may stand in any order.
        let rank: Int
    }

    private var records: [Record] = []

    var count: Int { records.count }

    /// - Parameter isTied: Whether the record and the one before it may stand in either order.
    mutating func append(_ name: String, _ values: [FieldValue], isTied: Bool = false) {
        let rank = records.last.map { $0.rank + (isTied ? 0 : 1) } ?? 0
        records.append(Record(name: name, values: values, rank: rank))
    }

    /// Returns how the found records differ from the expected ones; nil if they do not.
    func discrepancy(in found: FoundRecords, isOrdered: Bool) -> String? {
        let expected = FoundRecords { digester in
            for record in records {
                for value in record.values { digester.add(value) }
                digester.endRecord()
            }
        }
        if let problem = contentProblem(found.hashes, expected.hashes) { return problem }
        return isOrdered ? orderProblem(found.hashes, expected.hashes) : nil
    }

    /// Returns how the records differ, regardless of their order.
    private func contentProblem(_ found: [UInt64], _ expected: [UInt64]) -> String? {
        let missing = Self.indices(of: expected, notIn: found)
        let surplus = Self.indices(of: found, notIn: expected).map { found[$0] }
        guard !missing.isEmpty || !surplus.isEmpty else { return nil }
        var problem = "\(found.count) records; expected \(expected.count)"
        if let first = missing.first { problem += "; missing: \(missing.count), the first \(description(of: first))" }
        let repeated = surplus.compactMap { hash in expected.firstIndex(of: hash) }
        if let first = repeated.first {
            problem += "; repeated: \(repeated.count), the first \(description(of: first))"
        }
        let unknown = surplus.count - repeated.count
        if unknown > 0 { problem += "; unexpected: \(unknown)" }
        return problem
    }

    /// The first place at which another record stands than may.
    private func orderProblem(_ found: [UInt64], _ expected: [UInt64]) -> String? {
        let ranks = Dictionary(zip(expected, records.map(\.rank)), uniquingKeysWith: { first, _ in first })
        let wrong = found.indices.first { found[$0] != expected[$0] && ranks[found[$0]] != records[$0].rank }
        guard let place = wrong else { return nil }
        let other = expected.firstIndex(of: found[place]) ?? place
        return "the right \(found.count) records in another order: place \(place) has \(description(of: other)); "
            + "expected \(description(of: place))"
    }

    private func description(of index: Int) -> String {
        let record = records[index]
        return "\(record.name) (\(record.values.map { "\($0)" }.joined(separator: ", ")))"
    }

    /// Returns the indices of elements that `others` lacks, or has less often.
    private static func indices(of elements: [UInt64], notIn others: [UInt64]) -> [Int] {
        var left = Dictionary(others.map { ($0, 1) }, uniquingKeysWith: +)
        return elements.indices.filter { index in
            guard let count = left[elements[index]], count > 0 else { return true }
            left[elements[index]] = count - 1
            return false
        }
    }
}

extension CheckedStore {
    /// Returns the records with `ordinals`, in that order, each changed by `change`, with all attributes or some.
    func expected(
        _ ordinals: some Sequence<Int>, keeping names: [String]? = nil,
        changing change: (Int, inout [FieldValue]) -> Void = { _, _ in }
    ) -> ExpectedRecords {
        let attributes = entity.attributes
        let kept = attributes.indices.filter { names?.contains(attributes[$0].name) ?? true }
        var expected = ExpectedRecords()
        for ordinal in ordinals {
            var values = attributes.indices.map { records.value($0, ordinal) }
            change(ordinal, &values)
            expected.append("record \(ordinal)", kept.map { values[$0] })
        }
        return expected
    }
}

import BenchHarness
import ManagedStore

/// The result of a fetch of some attributes: a dictionary per record, in order.
struct FetchedDictionaries: FetchedRecords {
    private let values: [[String: StoredValue]]
    private let entity: EntitySpec

    /// - Parameter entity: An entity with only the fetched attributes.
    init(_ values: [[String: StoredValue]], entity: EntitySpec) {
        self.values = values
        self.entity = entity
    }

    var count: Int { values.count }

    /// Reads every value.
    func touch() {
        let names = entity.attributes.map(\.name)
        var sum: UInt64 = 0
        for record in values {
            for name in names { sum &+= record[name]?.weight ?? 0 }
        }
        BlackHole.consume(sum)
    }

    func digest(into digester: inout RecordDigester) {
        for record in values {
            for attribute in entity.attributes { digester.add(FieldValue(record[attribute.name] ?? .null)) }
            digester.endRecord()
        }
    }
}

extension FieldValue {
    /// Converts the store's value of an attribute of a scenario.
    init(_ value: StoredValue) {
        switch value {
        case .string(let value): self = .string(value)
        case .boolean(let value): self = .bool(value)
        case .date(let value): self = .date(value)
        case .integer64(let value): self = .int64(value)
        case .double(let value): self = .double(value)
        case .binaryData(let value): self = .data(value)
        // Scenarios have no attributes of other types.
        default: self = .null
        }
    }
}

extension StoredValue {
    /// A number that depends on the value, so that the value must be read.
    fileprivate var weight: UInt64 {
        switch self {
        case .string(let value): UInt64(value.utf8.count)
        case .boolean(let value): value ? 1 : 0
        case .date(let value), .double(let value): value.bitPattern
        case .integer64(let value): UInt64(bitPattern: value)
        case .binaryData(let value): UInt64(value.count)
        default: 0
        }
    }
}

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

    func digest(_ positions: Range<Int>, into digester: inout RecordDigester) {
        let names = entity.attributes.map(\.name)
        for record in values[positions] {
            for name in names { digester.add(FieldValue(record[name] ?? .null)) }
            digester.endRecord()
        }
    }
}

extension FieldValue {
    /// Converts the store's value of an attribute of a scenario, or of a relationship: the number of the record.
    init(_ value: StoredValue) {
        switch value {
        case .string(let value): self = .string(value)
        case .boolean(let value): self = .bool(value)
        case .date(let value): self = .date(value)
        case .integer64(let value): self = .int64(value)
        case .double(let value): self = .double(value)
        case .binaryData(let value): self = .data(value)
        case .objectID(let id): self = .int64(id.primaryKey)
        // Scenarios have no attributes of other types.
        default: self = .null
        }
    }
}

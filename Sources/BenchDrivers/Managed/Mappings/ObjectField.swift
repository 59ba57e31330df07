import BenchHarness
import Foundation
import ManagedStore

/// An attribute's key, made at run time; optional, since a scenario can have null in every record.
enum ObjectField: Sendable {
    case string(Attribute<String?>)
    case bool(Attribute<Bool?>)
    case date(Attribute<Date?>)
    case int64(Attribute<Int64?>)
    case double(Attribute<Double?>)
    case data(Attribute<Data?>)

    init(_ spec: AttributeSpec) {
        switch spec.type {
        case .string: self = .string(Attribute(spec.name))
        case .bool: self = .bool(Attribute(spec.name))
        case .date: self = .date(Attribute(spec.name))
        case .int64: self = .int64(Attribute(spec.name))
        case .double: self = .double(Attribute(spec.name))
        case .data: self = .data(Attribute(spec.name))
        }
    }

    var key: any AttributeKey {
        switch self {
        case .string(let key): key
        case .bool(let key): key
        case .date(let key): key
        case .int64(let key): key
        case .double(let key): key
        case .data(let key): key
        }
    }

    /// Sets the attribute, whose position is given, to the value of the record with `ordinal`, which is not null.
    @inline(__always)
    func fill(_ object: ManagedObject, _ index: Int, _ ordinal: Int, of records: RecordGenerator) {
        switch self {
        case .string(let key): object[key] = records.string(index, ordinal)
        case .bool(let key): object[key] = records.bool(index, ordinal)
        case .date(let key): object[key] = Date(timeIntervalSinceReferenceDate: records.double(index, ordinal))
        case .int64(let key): object[key] = records.int64(index, ordinal)
        case .double(let key): object[key] = records.double(index, ordinal)
        case .data(let key): object[key] = records.data(index, ordinal)
        }
    }

    /// Sets the attribute to a value of its type.
    func assign(_ value: FieldValue, to object: ManagedObject) {
        switch (self, value) {
        case (.string(let key), .string(let value)): object[key] = value
        case (.bool(let key), .bool(let value)): object[key] = value
        case (.date(let key), .date(let value)): object[key] = Date(timeIntervalSinceReferenceDate: value)
        case (.int64(let key), .int64(let value)): object[key] = value
        case (.double(let key), .double(let value)): object[key] = value
        case (.data(let key), .data(let value)): object[key] = value
        case (.string(let key), .null): object[key] = nil
        case (.bool(let key), .null): object[key] = nil
        case (.date(let key), .null): object[key] = nil
        case (.int64(let key), .null): object[key] = nil
        case (.double(let key), .null): object[key] = nil
        case (.data(let key), .null): object[key] = nil
        default: preconditionFailure("\(key) is of another type than \(value)")
        }
    }

    /// Feeds the value.
    @inline(__always)
    func digest(_ object: ManagedObject, into digester: inout RecordDigester) {
        switch self {
        case .string(let key): object[key].map { digester.add($0) } ?? digester.addNull()
        case .bool(let key): object[key].map { digester.add($0) } ?? digester.addNull()
        case .date(let key):
            object[key].map { digester.add($0.timeIntervalSinceReferenceDate) } ?? digester.addNull()
        case .int64(let key): object[key].map { digester.add($0) } ?? digester.addNull()
        case .double(let key): object[key].map { digester.add($0) } ?? digester.addNull()
        case .data(let key): object[key].map { digester.add($0) } ?? digester.addNull()
        }
    }
}

extension [ObjectField] {
    /// Sets the attributes of a new object to the values of the record with `ordinal`, but for its nulls.
    @inline(__always)
    func fill(_ object: ManagedObject, _ ordinal: Int, of records: RecordGenerator) {
        for index in indices where !records.isNull(index, ordinal) {
            self[index].fill(object, index, ordinal, of: records)
        }
    }
}

import BenchHarness
import DriverSupport
import Foundation
import GRDB

/// A record of the shop: what its type tells of its properties is enough for updates.
protocol ShopRecord: EntityRecord {
    /// The name of the entity.
    static var entityName: String { get }
    /// The properties with attributes and numbers of related records, in the order of the entity.
    static var properties: [RecordProperty<Self>] { get }
}

extension ShopRecord {
    static func describes(_ entity: EntitySpec) -> Bool {
        entity.name == entityName && entity.attributes.map(\.name) == properties.map(\.name)
            && entity.attributes.map(\.type) == properties.map(\.type)
            && entity.attributes.allSatisfy { !$0.hasNulls || optionals.contains($0.name) }
    }

    static var optionals: [String] { properties.filter(\.isOptional).map(\.name) }

    func value(_ attribute: Int) -> DatabaseValue { Self.properties[attribute].value(self) }

    mutating func apply(_ change: RecordChange) throws { try Self.properties[change.attribute].apply(change, &self) }
}

/// A property of a record, by the name of its attribute.
struct RecordProperty<Record>: Sendable {
    let name: String
    let type: FieldType
    var isOptional = false
    let value: @Sendable (Record) -> DatabaseValue
    let apply: @Sendable (RecordChange, inout Record) throws -> Void

    init(_ name: String, _ path: WritableKeyPath<Record, Int64> & Sendable) {
        (self.name, type) = (name, .int64)
        value = { $0[keyPath: path].databaseValue }
        apply = { $1[keyPath: path] = try $0.applied(to: $1[keyPath: path]) }
    }

    init(_ name: String, _ path: WritableKeyPath<Record, Double> & Sendable) {
        (self.name, type) = (name, .double)
        value = { $0[keyPath: path].databaseValue }
        apply = { $1[keyPath: path] = try $0.applied(to: $1[keyPath: path], .double) }
    }

    init(_ name: String, _ path: WritableKeyPath<Record, Date> & Sendable) {
        (self.name, type) = (name, .date)
        value = { $0[keyPath: path].timeIntervalSinceReferenceDate.databaseValue }
        apply = { $1[keyPath: path] = try $0.applied(to: $1[keyPath: path]) }
    }

    init(_ name: String, _ path: WritableKeyPath<Record, String> & Sendable) {
        (self.name, type) = (name, .string)
        value = { $0[keyPath: path].databaseValue }
        apply = { $1[keyPath: path] = try $0.assignedString() }
    }

    init(_ name: String, _ path: WritableKeyPath<Record, String?> & Sendable) {
        (self.name, type, isOptional) = (name, .string, true)
        value = { $0[keyPath: path].databaseValue }
        apply = { $1[keyPath: path] = $0.operation == .assign(.null) ? nil : try $0.assignedString() }
    }
}

import BenchHarness
import DriverSupport
import Foundation
import GRDB

/// A record that lists its properties, which is enough to tell which entity it is written for, and for updates.
protocol PropertyRecord: EntityRecord {
    /// The name of the entity.
    static var entityName: String { get }
    /// The properties with attributes and numbers of related records, in the order of the entity.
    static var properties: [RecordProperty<Self>] { get }
}

extension PropertyRecord {
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

    init(_ name: String, _ path: WritableKeyPath<Record, Bool> & Sendable) {
        (self.name, type) = (name, .bool)
        value = { $0[keyPath: path].databaseValue }
        apply = { $1[keyPath: path] = try $0.applied(to: $1[keyPath: path]) }
    }

    init(_ name: String, _ path: WritableKeyPath<Record, Date> & Sendable) {
        (self.name, type) = (name, .date)
        value = { $0[keyPath: path].timeIntervalSinceReferenceDate.databaseValue }
        apply = { $1[keyPath: path] = try $0.applied(to: $1[keyPath: path]) }
    }

    /// A date that is missing stays missing, unless one is assigned.
    init(_ name: String, _ path: WritableKeyPath<Record, Date?> & Sendable) {
        (self.name, type, isOptional) = (name, .date, true)
        value = { $0[keyPath: path]?.timeIntervalSinceReferenceDate.databaseValue ?? .null }
        apply = { change, record in
            switch (change.operation, record[keyPath: path]) {
            case (.assign(.null), _): record[keyPath: path] = nil
            case (.assign, _): record[keyPath: path] = try change.applied(to: .distantPast)
            case (_, let old): record[keyPath: path] = try old.map { try change.applied(to: $0) }
            }
        }
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

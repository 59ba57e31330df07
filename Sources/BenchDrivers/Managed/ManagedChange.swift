import BenchHarness
import Foundation
import ManagedStore

/// Translates a scenario's changes to managed objects and their keys.
enum ManagedChange {
    /// Returns a closure that makes `changes` in an object of `entity`.
    static func closure<Object: ManagedObject>(
        _ changes: [AttributeChange], _ entity: EntityDescription
    ) throws -> @Sendable (Object) -> Void {
        let setters: [@Sendable (Object) throws -> Void] = changes.map { change in
            let key = change.attribute
            switch change.operation {
            case .assign(let value):
                let stored = StoredValue(value)
                return { try $0.setValue(stored, forKey: key) }
            case .toggle:
                return { object in
                    guard case .boolean(let value) = try object.storedValue(forKey: key) else { return }
                    try object.setValue(!value, forKey: key)
                }
            case .add(let amount):
                return { try $0.setValue($0.storedValue(forKey: key).adding(amount), forKey: key) }
            case .draw(let draw):
                return { try $0.setValue(StoredValue(draw.value($0.ordinal)), forKey: key) }
            }
        }
        // The scenario reader has checked keys and types against the entity.
        return { object in
            for set in setters {
                do { try set(object) } catch { preconditionFailure("\(error)") }
            }
        }
    }

    /// Returns the changes as expressions of a batch update.
    static func expressions(_ changes: [AttributeChange]) -> [String: BatchExpression] {
        var expressions: [String: BatchExpression] = [:]
        for change in changes {
            switch change.operation {
            case .assign(let value): expressions[change.attribute] = .stored(StoredValue(value))
            case .toggle: expressions[change.attribute] = !.attribute(change.attribute)
            case .add(let amount):
                let whole = Int64(exactly: amount).map { StoredValue.integer64($0) }
                expressions[change.attribute] = .attribute(change.attribute) + .stored(whole ?? .double(amount))
            case .draw: preconditionFailure("one statement draws no value for each record")
            }
        }
        return expressions
    }
}

extension ManagedObject {
    /// The ordinal of the record in the scenario, for values that are drawn by it.
    var ordinal: Int { RecordTable.ordinal(objectID.primaryKey) }
}

extension StoredValue {
    /// Converts a scenario's value to a store's.
    init(_ value: FieldValue) {
        switch value {
        case .null: self = .null
        case .string(let value): self = .string(value)
        case .bool(let value): self = .boolean(value)
        case .date(let value): self = .date(value)
        case .int64(let value): self = .integer64(value)
        case .double(let value): self = .double(value)
        case .data(let value): self = .binaryData(value)
        }
    }

    /// Returns the number or date with `amount` added; any other value unchanged.
    fileprivate func adding(_ amount: Double) -> StoredValue {
        switch self {
        case .integer64(let value): .integer64(value &+ Int64(amount))
        case .double(let value): .double(value + amount)
        case .date(let value): .date(value + amount)
        default: self
        }
    }
}

extension FetchPredicate {
    /// Converts a scenario's filter to a predicate.
    init(_ filter: FilterSpec) {
        switch filter {
        case .compare(let key, let comparison, let value):
            self = Self.comparison(key, comparison, StoredValue(value))
        case .ignoringCase(let key, .equal, let text): self = .in(key, [text], .caseInsensitive)
        case .ignoringCase(let key, let comparison, let text):
            self = .string(key, comparison.match, text, .caseInsensitive)
        case .oneOf(let key, let values): self = .in(key, stored: values.map { StoredValue($0) })
        case .between(let key, let low, let high):
            self = .between(key, stored: StoredValue(low), and: StoredValue(high))
        case .any(let relationship, let condition): self = .any(relationship, FetchPredicate(condition))
        case .and(let parts):
            self = parts.dropFirst().reduce(parts.first.map { FetchPredicate($0) } ?? .value(true)) {
                $0 && FetchPredicate($1)
            }
        case .or(let parts):
            self = parts.dropFirst().reduce(parts.first.map { FetchPredicate($0) } ?? .value(false)) {
                $0 || FetchPredicate($1)
            }
        case .not(let part):
            self = !FetchPredicate(part)
        }
    }

    private static func comparison(
        _ key: String, _ comparison: FilterSpec.Comparison, _ value: StoredValue
    ) -> FetchPredicate {
        if let ordinary = Comparison(rawValue: comparison.rawValue) { return .compare(key, ordinary, stored: value) }
        guard case .string(let text) = value else { return .value(false) }
        return .string(key, comparison.match, text)
    }
}

extension FilterSpec.Comparison {
    /// How a string is searched for.
    fileprivate var match: FetchPredicate.StringMatch {
        switch self {
        case .beginsWith: .beginsWith
        case .endsWith: .endsWith
        default: .contains
        }
    }
}

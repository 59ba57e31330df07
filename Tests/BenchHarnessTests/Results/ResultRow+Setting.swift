@testable import BenchHarness

/// Tests make up rows property by property.
extension ResultRow {
    subscript<Value>(dynamicMember path: WritableKeyPath<Identity, Value>) -> Value {
        get { identity[keyPath: path] }
        set { identity[keyPath: path] = newValue }
    }

    subscript<Value>(dynamicMember path: WritableKeyPath<Outcome, Value>) -> Value {
        get { outcome[keyPath: path] }
        set { outcome[keyPath: path] = newValue }
    }

    subscript<Value>(dynamicMember path: WritableKeyPath<Work, Value>) -> Value {
        get { work[keyPath: path] }
        set { work[keyPath: path] = newValue }
    }

    subscript<Value>(dynamicMember path: WritableKeyPath<OutsideClock, Value>) -> Value {
        get { outsideClock[keyPath: path] }
        set { outsideClock[keyPath: path] = newValue }
    }

    subscript<Value>(dynamicMember path: WritableKeyPath<Asynchrony, Value>) -> Value {
        get { asynchrony[keyPath: path] }
        set { asynchrony[keyPath: path] = newValue }
    }

    subscript<Value>(dynamicMember path: WritableKeyPath<Usage, Value>) -> Value {
        get { usage[keyPath: path] }
        set { usage[keyPath: path] = newValue }
    }

    subscript<Value>(dynamicMember path: WritableKeyPath<Machine, Value>) -> Value {
        get { machine[keyPath: path] }
        set { machine[keyPath: path] = newValue }
    }

    subscript<Value>(dynamicMember path: WritableKeyPath<Load, Value>) -> Value {
        get { load[keyPath: path] }
        set { load[keyPath: path] = newValue }
    }

    /// Notes the missed service levels.
    mutating func judge(missed: [String]) { load.limits = Self.limits(missed: missed) }
}

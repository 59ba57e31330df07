/// Runs an operation that a driver declares beyond the protocols of its sessions.
public struct CustomWork: Sendable, Equatable, Codable {
    /// What ends the runs.
    public enum Mode: String, Sendable, Codable, CaseIterable {
        /// Their number, which is the same each time.
        case counted
        /// The time, or a number that is reached before.
        case timed
    }

    /// The name of the operation, one of ``StoreDriver/operations``.
    public var operation: String
    /// The values of its parameters, by their names; those that are left out have their defaults.
    public var parameters: [String: FieldValue]
    /// The number of runs; nil if only the time ends them.
    public var count: Int?
    /// The seconds after which no run starts; nil if only the number ends the runs. There is one run at least.
    public var durationSeconds: Double?
    /// Seeds ``OperationCall/random``.
    public var seed: UInt64

    /// Creates the work; with neither a number nor a time, it runs the operation once.
    public init(
        operation: String, parameters: [String: FieldValue] = [:], count: Int? = nil, durationSeconds: Double? = nil,
        seed: UInt64 = 0
    ) {
        self.operation = operation
        self.parameters = parameters
        self.count = count ?? (durationSeconds == nil ? 1 : nil)
        self.durationSeconds = durationSeconds
        self.seed = seed
    }

    /// What ends the runs.
    public var mode: Mode { durationSeconds == nil ? .counted : .timed }
}

extension Phase.Work {
    /// Runs an operation that a driver declares.
    public static func custom(_ work: CustomWork) -> Phase.Work { Phase.Work(work) }
}

extension CustomWork {
    static let kind = PhaseKind(
        "custom", "Runs an operation that a driver declares, with a latency of each run.",
        timedModes: [Mode.timed.rawValue],
        keys: [
            .required(
                "operation", .fileNamePart, "The name of the operation; bench list shows those of each driver."),
            .optional(
                "parameters", .map(to: .parameter),
                "Values by the name of the parameter; one that is left out has its default."),
            .optional("count", .integer(ScenarioLimits.operations), "Runs of the operation; 1 without duration_s."),
            .optional(
                "duration_s", .number(ScenarioLimits.durationSeconds), "Seconds after which no run starts."),
        ]
    ) { object, start in
        let count = object["count"]?.integer()
        let duration = object["duration_s"]?.number()
        let parameters = object["parameters"]?.operationParameters()
        guard let operation = object["operation"]?.fileNamePart() else { return nil }
        return CustomWork(
            operation: operation, parameters: parameters ?? [:], count: count, durationSeconds: duration,
            seed: AttributeDraw.seed(start.seed, phase: start.name, attribute: operation))
    }
}

extension ValueShape {
    /// A value of a parameter; only a driver knows its type.
    fileprivate static let parameter: ValueShape = .named("parameter") {
        .schema([("type", .array(["number", "string", "boolean"].map(OrderedJSON.string)))])
    }
}

extension JSONCursor {
    /// Reads the values of an operation's parameters; only a driver knows which it has.
    fileprivate func operationParameters() -> [String: FieldValue] {
        var values: [String: FieldValue] = [:]
        for (name, cursor) in members(expected: "an object of parameters and their values") ?? [] {
            values[name] = cursor.operationParameter()
        }
        return values
    }

    private func operationParameter() -> FieldValue? {
        switch node.value {
        case .string: string(lengthMax: ScenarioLimits.textLength).map(FieldValue.string)
        case .bool(let value): .bool(value)
        case .number(let number):
            if number.integer(Int.self) != nil {
                integer(in: ScenarioLimits.integers).map { .int64(Int64($0)) }
            } else {
                self.number(in: ScenarioLimits.doubles).map(FieldValue.double)
            }
        case .null, .array, .object: refuseMismatch(expected: "a number, a string, true or false")
        }
    }
}

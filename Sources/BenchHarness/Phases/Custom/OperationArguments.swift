/// The values of an operation's parameters: those of the phase, and the defaults of the others.
public struct OperationArguments: Sendable, Equatable {
    private let operation: String
    private let values: [String: FieldValue]

    /// Creates the arguments of an operation.
    ///
    /// - Throws: `RunError` that names the first mistake in `values`, and what is right.
    init(_ values: [String: FieldValue], of operation: StoreOperation) throws(RunError) {
        let parameters = operation.parameters
        for name in values.keys.sorted() where !parameters.contains(where: { $0.name == name }) {
            throw Self.unknown("parameter", name, of: operation.name, among: parameters.map(\.name))
        }
        var resolved: [String: FieldValue] = [:]
        for parameter in parameters {
            let wanted = "expected \(parameter.kind.rawValue)"
            guard let value = values[parameter.name] ?? parameter.standard else {
                throw RunError(.phase, "\(operation.name) needs the parameter \(parameter.name.quoted); \(wanted)")
            }
            guard let fit = parameter.value(value) else {
                throw RunError(
                    .phase,
                    "the parameter \(parameter.name.quoted) of \(operation.name) is \(value.inWords); \(wanted)")
            }
            resolved[parameter.name] = fit
        }
        self.operation = operation.name
        self.values = resolved
    }

    /// Returns the whole number that a parameter has.
    ///
    /// - Throws: `RunError` if the operation declares no such parameter.
    public func integer(_ name: String) throws(RunError) -> Int {
        if case .int64(let value) = try value(name) { return Int(value) }
        throw mismatch(name, .integer)
    }

    /// Returns the number that a parameter has.
    ///
    /// - Throws: `RunError` if the operation declares no such parameter.
    public func number(_ name: String) throws(RunError) -> Double {
        if case .double(let value) = try value(name) { return value }
        throw mismatch(name, .number)
    }

    /// Returns the text that a parameter has.
    ///
    /// - Throws: `RunError` if the operation declares no such parameter.
    public func string(_ name: String) throws(RunError) -> String {
        if case .string(let value) = try value(name) { return value }
        throw mismatch(name, .string)
    }

    /// Returns whether a parameter is true.
    ///
    /// - Throws: `RunError` if the operation declares no such parameter.
    public func bool(_ name: String) throws(RunError) -> Bool {
        if case .bool(let value) = try value(name) { return value }
        throw mismatch(name, .bool)
    }

    private func value(_ name: String) throws(RunError) -> FieldValue {
        guard let value = values[name] else {
            throw Self.unknown("parameter", name, of: operation, among: values.keys.sorted())
        }
        return value
    }

    private func mismatch(_ name: String, _ kind: OperationParameter.Kind) -> RunError {
        RunError(
            .phase,
            "\(operation) reads its parameter \(name.quoted) as \(kind.rawValue), but declares another kind; use one "
                + "in both")
    }

    /// The error of a name that is not among `candidates`.
    static func unknown(_ what: String, _ name: String, of owner: String, among candidates: [String]) -> RunError {
        let found = "\(owner) has no \(what) \(name.quoted)"
        guard !candidates.isEmpty else { return RunError(.phase, "\(found); it has none") }
        let nearest = NearestName.among(candidates, to: name).map { ". Did you mean \($0.quoted)?" } ?? ""
        return RunError(.phase, "\(found); expected \(candidates.asChoice)\(nearest)")
    }
}

import BenchHarness

/// The command line of a subcommand, checked against its ``CommandSpec``.
struct ParsedArguments: Equatable {
    private(set) var operands: [String] = []
    private var values: [String: [String]] = [:]

    /// Parses the arguments after the subcommand. `--option=value` works too, and all arguments after `--` are
    /// operands.
    init(_ arguments: [String], spec: CommandSpec) throws(UsageError) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                operands += rest
                break
            }
            guard argument.hasPrefix("-"), argument != "-" else {
                operands.append(argument)
                continue
            }
            try readOption(argument, &rest, spec)
        }
        if !has("--help") { try checkOperands(spec) }
    }

    /// Returns whether the option was given.
    func has(_ option: String) -> Bool { values[option] != nil }
    /// Returns the option's value.
    func value(_ option: String) -> String? { values[option]?.last }
    /// Returns the values of a repeatable option.
    func all(_ option: String) -> [String] { values[option] ?? [] }

    /// Returns the option's value as a whole number; nil if it was not given.
    func count(_ option: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
        guard let text = value(option) else { return nil }
        guard let count = Int(text), range.contains(count) else {
            throw UsageError(
                "\(option) \(text): expected a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return count
    }

    /// The option's value as seconds, written as `90s`, `10m` or `1h`; nil when it was not given.
    func duration(_ option: String) throws(UsageError) -> Double? {
        guard let text = value(option) else { return nil }
        let factors: [Character: Double] = ["s": 1, "m": 60, "h": 3_600]
        guard let factor = text.last.flatMap({ factors[$0] }), let number = Double(text.dropLast()), number > 0,
            number * factor <= 86_400
        else {
            throw UsageError("\(option) \(text): expected a time, such as 90s, 10m or 1h, 24h at most")
        }
        return number * factor
    }

    /// The option's value as one of a few words; nil when it was not given.
    func choice<Choice: CaseIterable & RawRepresentable<String>>(_ option: String) throws(UsageError) -> Choice? {
        guard let word = value(option) else { return nil }
        guard let choice = Choice(rawValue: word) else {
            let what = String(option.drop { $0 == "-" })
            throw UsageError(Self.unknown(what, word, among: Choice.allCases.map(\.rawValue)))
        }
        return choice
    }

    private mutating func readOption(
        _ argument: String, _ rest: inout ArraySlice<String>, _ spec: CommandSpec
    ) throws(UsageError) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let option = spec.options.first(where: { $0.names.contains(parts[0]) }) else {
            throw UsageError(Self.unknown("option", parts[0], among: spec.options.map(\.name)))
        }
        if has(option.name), !option.isRepeatable { throw UsageError("\(option.name) is given twice; give it once") }
        guard let placeholder = option.value else {
            if parts.count > 1 { throw UsageError("\(option.name) takes no value; write \(option.name) alone") }
            values[option.name] = [""]
            return
        }
        guard let value = parts.count > 1 ? parts[1] : rest.popFirst(), !value.isEmpty else {
            throw UsageError("\(option.name) needs a value: \(option.name) \(placeholder)")
        }
        values[option.name, default: []].append(value)
    }

    private func checkOperands(_ spec: CommandSpec) throws(UsageError) {
        if operands.count < spec.operandCount.lowerBound {
            throw UsageError("bench \(spec.name) needs \(spec.operand ?? "an operand"); see bench \(spec.name) --help")
        }
        if operands.count > spec.operandCount.upperBound {
            throw UsageError(
                "unexpected argument \"\(operands[spec.operandCount.upperBound])\"; see bench \(spec.name) --help")
        }
    }

    /// Returns an error about an unknown name, with the nearest name or all names.
    static func unknown(_ what: String, _ name: String, among names: [String]) -> String {
        let base = "unknown \(what) \"\(name)\""
        if let nearest = NearestName.among(names, to: name) { return "\(base); did you mean \"\(nearest)\"?" }
        return "\(base); expected one of \(names.joined(separator: ", "))"
    }
}

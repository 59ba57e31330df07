/// The kinds of generator, with their names in scenarios.
enum GeneratorKind: String, CaseIterable {
    case constant
    case sequence
    case uniform
    case random
    case choice
    case words
    case ascending

    /// Returns the kinds that can make values of a type.
    static func fit(for type: FieldType) -> [GeneratorKind] {
        switch type {
        case .string: [.constant, .sequence, .random, .choice, .words]
        case .bool: [.constant, .uniform]
        case .date: [.constant, .sequence, .uniform, .choice, .ascending]
        case .int64, .double: [.constant, .sequence, .uniform, .choice]
        case .data: [.constant, .random]
        }
    }
}

extension EntityReader {
    /// Reads a generator of values of a type.
    func generator(_ cursor: JSONCursor, _ type: FieldType) -> Generator? {
        switch kind(cursor, type) {
        case .constant: cursor.object(.constant)["value"]?.fieldValue(type).map(Generator.constant)
        case .sequence: sequence(cursor, type)
        case .uniform: uniform(cursor, type)
        case .random: random(cursor)
        case .choice: choice(cursor, type)
        case .words: words(cursor)
        case .ascending: ascending(cursor)
        case nil: nil
        }
    }

    private func kind(_ cursor: JSONCursor, _ type: FieldType) -> GeneratorKind? {
        guard let members = cursor.members(expected: "an object") else { return nil }
        guard let kindCursor = members.first(where: { $0.key == "kind" })?.value else {
            cursor.refuse(
                "the key \"kind\" is missing", expected: GeneratorKind.allCases.map(\.rawValue).asChoice)
            return nil
        }
        guard let kind: GeneratorKind = kindCursor.choice("generator kind") else { return nil }
        let fit = GeneratorKind.fit(for: type)
        guard fit.contains(kind) else {
            kindCursor.refuse("a \(kind) generator for a \(type) attribute", expected: fit.map(\.rawValue).asChoice)
            return nil
        }
        return kind
    }

    private func sequence(_ cursor: JSONCursor, _ type: FieldType) -> Generator? {
        switch type {
        case .string:
            let prefix = cursor.object(.textSequence)["prefix"]?.string()
            return .sequence(prefix: prefix ?? "", start: 0, step: 1)
        case .date:
            let object = cursor.object(.dateSequence)
            let start = object["start"]?.timestamp()
            let step = object["step_s"]?.number()
            guard let start, let step else { return nil }
            return .sequence(prefix: "", start: start, step: step)
        default:
            return numbers(cursor, type)
        }
    }

    private func numbers(_ cursor: JSONCursor, _ type: FieldType) -> Generator? {
        let object = cursor.object(.numberSequence)
        let start = object["start"].map { number($0, type) } ?? 0
        let step = object["step"].map { number($0, type) } ?? 1
        guard let start, let step else { return nil }
        let last = start + step * Double(ordinalMax)
        if type == .int64, abs(last) > Double(ScenarioLimits.integers.upperBound) {
            cursor.refuse(
                "a sequence that ends at \(last)",
                expected: "integers up to \(ScenarioLimits.integers.upperBound.grouped) in every record")
        }
        return .sequence(prefix: "", start: start, step: step)
    }

    private func uniform(_ cursor: JSONCursor, _ type: FieldType) -> Generator? {
        if type == .bool {
            return cursor.object(.chance)["probability"]?.number().map { .uniform(min: 0, max: $0) }
        }
        let object = cursor.object(.uniform)
        let min = object["min"].flatMap { number($0, type) }
        let max = object["max"].flatMap { number($0, type) }
        guard let min, let max else { return nil }
        if min > max { object["max"]?.refuse("a max below the min", expected: "min <= max") }
        return .uniform(min: min, max: max)
    }

    private func random(_ cursor: JSONCursor) -> Generator? {
        let object = cursor.object(.random)
        let most = object["length_bytes_max"].map { $0.integer() }
        guard let length = object["length_bytes"]?.integer() else { return nil }
        guard let most else { return .random(length: length) }
        guard let most else { return nil }
        if most < length {
            object["length_bytes_max"]?.refuse(
                "a length_bytes_max below the length_bytes", expected: "length_bytes <= length_bytes_max")
            return nil
        }
        return .randomLengths(min: length, max: most)
    }

    private func choice(_ cursor: JSONCursor, _ type: FieldType) -> Generator? {
        let object = cursor.object(.choice)
        guard let cursors = object["values"]?.array(of: "values") else { return nil }
        let values = cursors.compactMap { $0.fieldValue(type) }
        guard let list = object["weights"] else { return .choice(values: values, weights: nil) }
        let weights = list.array(of: "weights").compactMap { $0.number() }
        // What is wrong with a value, or with a weight, is reported already.
        guard values.count == cursors.count, !values.isEmpty, !weights.isEmpty else { return nil }
        guard weights.count == values.count else {
            list.refuse("\(weights.count) weights of \(values.count) values", expected: "a weight for each value")
            return nil
        }
        if !weights.contains(where: { $0 > 0 }) {
            list.refuse("weights that are all 0", expected: "a weight above 0")
            return nil
        }
        return .choice(values: values, weights: weights)
    }

    private func words(_ cursor: JSONCursor) -> Generator? {
        let object = cursor.object(.words)
        let most = object["count_max"].map { $0.integer() }
        let vocabulary = object["vocabulary"].map { $0.integer() }
        guard let count = object["count"]?.integer() else { return nil }
        guard let most = most ?? count, let vocabulary = vocabulary ?? Vocabulary.standardCount else { return nil }
        if most < count {
            object["count_max"]?.refuse("a count_max below the count", expected: "count <= count_max")
            return nil
        }
        return .words(min: count, max: most, vocabulary: vocabulary)
    }

    private func ascending(_ cursor: JSONCursor) -> Generator? {
        let object = cursor.object(.ascending)
        let start = object["start"]?.timestamp()
        let step = object["step_s"]?.number()
        guard let start, let step else { return nil }
        return .ascending(start: start, step: step)
    }

    /// Reads a number of the attribute's type, as generators compute it.
    private func number(_ cursor: JSONCursor, _ type: FieldType) -> Double? {
        switch type {
        case .date: cursor.timestamp()
        case .int64: cursor.integer(in: ScenarioLimits.integers).map(Double.init)
        default: cursor.number(in: ScenarioLimits.doubles)
        }
    }
}

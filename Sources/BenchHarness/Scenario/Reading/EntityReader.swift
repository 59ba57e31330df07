/// Reads the entity of a scenario.
struct EntityReader {
    /// The largest ordinal that any phase gives to a record: sequences of integers must reach it without rounding.
    let ordinalMax: Int

    func read(_ cursor: JSONCursor) -> EntitySpec {
        let object = cursor.object(.entity)
        let entity = EntitySpec(
            name: object["name"]?.identifier() ?? "", attributes: Self.attributes(object, upTo: ordinalMax))
        guard let owner = object["owner"] else { return entity }
        return EntitySpec(
            name: entity.name, attributes: entity.attributes, owner: OwnerReader(entity: entity).read(owner))
    }

    /// Reads the attributes of an entity of records or owners, whose ordinals go up to `ordinalMax`.
    static func attributes(_ object: JSONObjectCursor, upTo ordinalMax: Int) -> [AttributeSpec] {
        let reader = EntityReader(ordinalMax: ordinalMax)
        let cursors = object["attributes"]?.array(count: ScenarioLimits.attributes, of: "attributes") ?? []
        var attributes: [AttributeSpec] = []
        for cursor in cursors {
            let object = cursor.object(.attribute)
            let name = object["name"]?.identifier()
            // SQLite ignores the case of column names, so two names must differ in more than case.
            if let name, attributes.contains(where: { $0.name.lowercased() == name.lowercased() }) {
                object["name"]?.refuse(
                    "a second attribute \(name.quoted)",
                    expected: "names that differ in more than upper and lower case")
            }
            if let attribute = reader.attribute(object, called: name) { attributes.append(attribute) }
        }
        return attributes
    }

    private func attribute(_ object: JSONObjectCursor, called name: String?) -> AttributeSpec? {
        guard let type: FieldType = object["type"]?.choice("attribute type"),
            let generator = object["generator"].flatMap({ generator($0, type) })
        else { return nil }
        let isUnique = object["unique"]?.bool() ?? false
        if isUnique, !generator.isDistinct(type, upTo: ordinalMax) {
            object["unique"]?.refuse(
                "a unique attribute whose values may repeat", expected: "a sequence that counts")
        }
        let isIndexed = object["indexed"]?.bool() ?? false
        if isIndexed, isUnique || type == .data {
            object["indexed"]?.refuse(
                isUnique ? "an index of a unique attribute, which has one" : "an index of data, which has no order",
                expected: "another attribute")
        }
        return name.map {
            AttributeSpec(name: $0, type: type, generator: generator, isUnique: isUnique, isIndexed: isIndexed)
        }
    }
}

extension Generator {
    /// Returns whether no two records up to ordinal `last` get the same value.
    fileprivate func isDistinct(_ type: FieldType, upTo last: Int) -> Bool {
        guard case .sequence(_, let start, let step) = self, step != 0 else { return false }
        guard type == .double || type == .date else { return true }
        // Rounding of the product and the sum can bring two neighbours closer by three units in the last place.
        let farthest = max(abs(start), abs(start + step * Double(last)))
        return abs(step) > 3 * farthest.ulp
    }
}

// MARK: - Generators

/// The kinds of generator, with their names in scenarios.
enum GeneratorKind: String, CaseIterable {
    case constant
    case sequence
    case uniform
    case random

    /// Returns the kinds that can make values of a type.
    static func fit(for type: FieldType) -> [GeneratorKind] {
        switch type {
        case .string: [.constant, .sequence, .random]
        case .bool: [.constant, .uniform]
        case .date, .int64, .double: [.constant, .sequence, .uniform]
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
            let prefix = cursor.object(.textSequence)["prefix"]?.string(lengthMax: ScenarioLimits.prefixLength)
            return .sequence(prefix: prefix ?? "", start: 0, step: 1)
        case .date:
            let object = cursor.object(.dateSequence)
            let start = object["start"]?.timestamp()
            let step = object["step_s"]?.number(in: ScenarioLimits.seconds)
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
            return cursor.object(.chance)["probability"]?.number(in: 0...1).map { .uniform(min: 0, max: $0) }
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
        let limits = ScenarioLimits.randomLengthBytes
        let most = object["length_bytes_max"].map { $0.integer(in: limits) }
        guard let length = object["length_bytes"]?.integer(in: limits) else { return nil }
        guard let most else { return .random(length: length) }
        guard let most else { return nil }
        if most < length {
            object["length_bytes_max"]?.refuse(
                "a length_bytes_max below the length_bytes", expected: "length_bytes <= length_bytes_max")
            return nil
        }
        return .randomLengths(min: length, max: most)
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

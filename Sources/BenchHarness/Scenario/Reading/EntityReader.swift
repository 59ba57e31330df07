/// Reads the entity of a scenario.
struct EntityReader {
    /// The largest ordinal that any phase gives to a record: sequences of integers must get there without rounding.
    let ordinalMax: Int

    func read(_ cursor: JSONCursor) throws(ScenarioError) -> EntitySpec {
        let object = try cursor.object(.entity)
        let entity = EntitySpec(
            name: try object.required("name").identifier(), attributes: try Self.attributes(object, upTo: ordinalMax))
        guard let owner = object["owner"] else { return entity }
        return EntitySpec(
            name: entity.name, attributes: entity.attributes, owner: try OwnerReader(entity: entity).read(owner))
    }

    /// The attributes of an entity, records' or owners', whose ordinals go up to `ordinalMax`.
    static func attributes(_ object: JSONObjectCursor, upTo ordinalMax: Int) throws(ScenarioError) -> [AttributeSpec] {
        let reader = EntityReader(ordinalMax: ordinalMax)
        let cursors = try object.required("attributes").array(count: ScenarioLimits.attributes, of: "attributes")
        var attributes: [AttributeSpec] = []
        for cursor in cursors {
            let attribute = try reader.attribute(cursor)
            // SQLite's column names know no case, so neither may names here.
            let isTaken = attributes.contains { $0.name.lowercased() == attribute.name.lowercased() }
            if isTaken {
                throw try cursor.object(.attribute).required("name").error(
                    "a second attribute \(attribute.name.quoted)",
                    expected: "names that differ in more than upper and lower case")
            }
            attributes.append(attribute)
        }
        return attributes
    }

    private func attribute(_ cursor: JSONCursor) throws(ScenarioError) -> AttributeSpec {
        let object = try cursor.object(.attribute)
        let name = try object.required("name").identifier()
        let type: FieldType = try object.required("type").choice("attribute type")
        let generator = try generator(object.required("generator"), type)
        var isUnique = false
        if let unique = object["unique"], try unique.bool() {
            guard generator.isDistinct(type, upTo: ordinalMax) else {
                throw unique.error("a unique attribute whose values may come twice", expected: "a sequence that counts")
            }
            isUnique = true
        }
        return AttributeSpec(name: name, type: type, generator: generator, isUnique: isUnique)
    }
}

extension Generator {
    /// Whether no two records up to the one with `last` get the same value.
    fileprivate func isDistinct(_ type: FieldType, upTo last: Int) -> Bool {
        guard case .sequence(_, let start, let step) = self, step != 0 else { return false }
        guard type == .double || type == .date else { return true }
        // The product and the sum are rounded, which may bring two neighbours closer by three units in the last place.
        let farthest = max(abs(start), abs(start + step * Double(last)))
        return abs(step) > 3 * farthest.ulp
    }
}

// MARK: - Generators

/// The kinds of generator as scenarios spell them.
enum GeneratorKind: String, CaseIterable {
    case constant
    case sequence
    case uniform
    case random

    /// The kinds that can make values of a type.
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
    private func generator(_ cursor: JSONCursor, _ type: FieldType) throws(ScenarioError) -> Generator {
        switch try kind(cursor, type) {
        case .constant:
            return .constant(try cursor.object(.constant).required("value").fieldValue(type))
        case .sequence:
            return try sequence(cursor, type)
        case .uniform:
            return try uniform(cursor, type)
        case .random:
            let length = try cursor.object(.random).required("lengthBytes")
            return .random(length: try length.integer(in: ScenarioLimits.randomLengthBytes))
        }
    }

    private func kind(_ cursor: JSONCursor, _ type: FieldType) throws(ScenarioError) -> GeneratorKind {
        let members = try cursor.members(expected: "an object")
        guard let kindCursor = members.first(where: { $0.key == "kind" })?.value else {
            throw cursor.error("the key \"kind\" is missing", expected: GeneratorKind.allCases.map(\.rawValue).asChoice)
        }
        let kind: GeneratorKind = try kindCursor.choice("generator kind")
        let fit = GeneratorKind.fit(for: type)
        guard fit.contains(kind) else {
            throw kindCursor.error(
                "a \(kind) generator for a \(type) attribute", expected: fit.map(\.rawValue).asChoice)
        }
        return kind
    }

    private func sequence(_ cursor: JSONCursor, _ type: FieldType) throws(ScenarioError) -> Generator {
        switch type {
        case .string:
            let prefix = try cursor.object(.textSequence)["prefix"]?.string(lengthMax: ScenarioLimits.prefixLength)
            return .sequence(prefix: prefix ?? "", start: 0, step: 1)
        case .date:
            let object = try cursor.object(.dateSequence)
            let start = try object.required("start").timestamp()
            let step = try object.required("stepSeconds").number(in: ScenarioLimits.seconds)
            return .sequence(prefix: "", start: start, step: step)
        default:
            let object = try cursor.object(.numberSequence)
            let start = try object["start"].map { (cursor) throws(ScenarioError) in try number(cursor, type) } ?? 0
            let step = try object["step"].map { (cursor) throws(ScenarioError) in try number(cursor, type) } ?? 1
            let last = start + step * Double(ordinalMax)
            if type == .int64, abs(last) > Double(ScenarioLimits.integers.upperBound) {
                throw cursor.error(
                    "a sequence that ends at \(last)",
                    expected: "integers up to \(ScenarioLimits.integers.upperBound.grouped) in every record")
            }
            return .sequence(prefix: "", start: start, step: step)
        }
    }

    private func uniform(_ cursor: JSONCursor, _ type: FieldType) throws(ScenarioError) -> Generator {
        if type == .bool {
            return .uniform(min: 0, max: try cursor.object(.chance).required("probability").number(in: 0...1))
        }
        let object = try cursor.object(.uniform)
        let max = try object.required("max")
        let bounds = (min: try number(object.required("min"), type), max: try number(max, type))
        guard bounds.min <= bounds.max else {
            throw max.error("a max below the min", expected: "min <= max")
        }
        return .uniform(min: bounds.min, max: bounds.max)
    }

    /// A number of the attribute's type, as generators compute it.
    private func number(_ cursor: JSONCursor, _ type: FieldType) throws(ScenarioError) -> Double {
        switch type {
        case .date: try cursor.timestamp()
        case .int64: Double(try cursor.integer(in: ScenarioLimits.integers))
        default: try cursor.number(in: ScenarioLimits.doubles)
        }
    }
}

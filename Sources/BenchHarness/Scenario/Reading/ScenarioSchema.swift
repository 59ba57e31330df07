/// Writes the JSON schema of scenarios, with which editors check and complete them, from the shapes that the reader
/// reads by.
struct ScenarioSchema {
    private typealias Members = [(String, OrderedJSON?)]

    /// The shapes with a name that others refer to, in the order in which they were first met.
    private var named: [(name: String, shape: ValueShape)] = []

    /// The text of `Scenarios/schema.json`.
    static let text: String = {
        var schema = ScenarioSchema()
        let root = schema.members(of: .object(.scenario))
        var definitions: Members = []
        while definitions.count < schema.named.count {
            let (name, shape) = schema.named[definitions.count]
            definitions.append((name, .object(schema.definition(of: shape))))
        }
        let head: Members = [
            ("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
            ("title", .string("Benchmark scenario")),
        ]
        return OrderedJSON.object(head + root + [("$defs", .object(definitions))]).text(width: 200) + "\n"
    }()

    private mutating func definition(of shape: ValueShape) -> Members {
        switch shape {
        case .named(_, let help, let make):
            return Self.described(help, members(of: make()))
        case .object(let object):
            let properties: Members = object.members.map { key in
                (key.name, .object(Self.described(key.help, members(of: key.value))))
            }
            return Self.described(
                object.help,
                [
                    ("type", .string("object")), ("properties", .object(properties)),
                    ("required", object.required.isEmpty ? nil : .array(object.required.map(OrderedJSON.string))),
                    ("additionalProperties", .bool(false)),
                ])
        default: return members(of: shape)
        }
    }

    private static func described(_ help: String?, _ members: Members) -> Members {
        [("description", help.map(OrderedJSON.string))] + members
    }

    private mutating func members(of shape: ValueShape) -> Members {
        switch shape {
        case .bool: [("type", .string("boolean"))]
        case .text(let lengthMax, let pattern):
            [
                ("type", .string("string")), ("pattern", pattern.map(OrderedJSON.string)),
                ("maxLength", .integer(lengthMax)),
            ]
        case .integer(let range, let isSwept):
            number("integer", isSwept) + [
                ("minimum", .integer(range.lowerBound)), ("maximum", .integer(range.upperBound)),
            ]
        case .number(let range, let isSwept):
            number("number", isSwept) + [
                ("minimum", range.map { .shortest($0.lowerBound) }),
                ("maximum", range.map { .shortest($0.upperBound) }),
            ]
        case .constant(let value): [("const", value)]
        case .among(let values): [("enum", .array(values))]
        case .list(let element, let count, let isDistinct):
            [
                ("type", .string("array")), ("items", .object(members(of: element))),
                ("minItems", count.lowerBound == 0 ? nil : .integer(count.lowerBound)),
                ("maxItems", .integer(count.upperBound)), ("uniqueItems", isDistinct ? .bool(true) : nil),
            ]
        case .map(let value, let key, let least):
            [
                ("type", .string("object")), ("minProperties", least == 0 ? nil : .integer(least)),
                ("propertyNames", key.map { .object(members(of: $0)) }),
                ("additionalProperties", .object(members(of: value))),
            ]
        case .any(let shapes): [("anyOf", .array(shapes.map { .object(members(of: $0)) }))]
        case .object(let object): reference(to: object.name, shape)
        case .named(let name, _, _): reference(to: name, shape)
        case .schema(let words): words.map { ($0, $1) }
        }
    }

    /// The type of a number; that of a swept one has a definition, which says what a list of numbers may be.
    private mutating func number(_ type: String, _ isSwept: Bool) -> Members {
        guard isSwept else { return [("type", .string(type))] }
        let list = ScenarioLimits.variants
        return reference(
            to: type + "s",
            .schema([
                ("type", .array([.string(type), .string("array")])), ("items", .object([("type", .string("number"))])),
                ("minItems", .integer(list.lowerBound)), ("maxItems", .integer(list.upperBound)),
                ("uniqueItems", .bool(true)),
            ]))
    }

    private mutating func reference(to name: String, _ shape: ValueShape) -> Members {
        if !named.contains(where: { $0.name == name }) { named.append((name, shape)) }
        return [("$ref", .string("#/$defs/\(name)"))]
    }
}

extension OrderedJSON {
    /// A number without the point of a whole one.
    fileprivate static func shortest(_ value: Double) -> OrderedJSON {
        Int(exactly: value).map(integer) ?? number(value)
    }
}

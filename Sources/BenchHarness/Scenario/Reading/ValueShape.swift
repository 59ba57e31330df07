/// What a value in a scenario may be. The reader takes the bounds from here, and ``ScenarioSchema`` writes them for
/// editors.
indirect enum ValueShape: Sendable {
    case bool
    /// Text of at most this length, which a regular expression may restrict.
    case text(lengthMax: Int, pattern: String? = nil)
    /// An integer; a list of them makes a sweep, unless it is not swept.
    case integer(ClosedRange<Int>, isSwept: Bool = true)
    /// A number within bounds, or within those of its attribute's type; a list of them makes a sweep, unless it is not
    /// swept.
    case number(ClosedRange<Double>? = nil, isSwept: Bool = true)
    case constant(OrderedJSON)
    case among([OrderedJSON])
    case list(of: ValueShape, ClosedRange<Int>, isDistinct: Bool = false)
    /// An object with keys that the scenario or a driver chooses.
    case map(to: ValueShape, from: ValueShape? = nil, atLeast: Int = 0)
    case any([ValueShape])
    case object(ObjectShape)
    /// A shape with a name in the schema and, unless its keys describe it, a description. It is made when it is needed,
    /// since conditions are made of conditions.
    case named(String, String? = nil, @Sendable () -> ValueShape)
    /// The words of the schema, for values of which the reader checks more than a schema can say.
    case schema([(String, OrderedJSON)])

    /// One of the raw values of an enumeration.
    static func choice<Choice: RawRepresentable<String> & CaseIterable>(_ type: Choice.Type) -> ValueShape {
        .among(type.allCases.map { .string($0.rawValue) })
    }

    /// One of some numbers, or a list of them that makes a sweep.
    static func oneNumber(of numbers: [Int]) -> ValueShape {
        let one = ValueShape.among(numbers.map(OrderedJSON.integer))
        return .any([one, .list(of: one, ScenarioLimits.variants, isDistinct: true)])
    }

    /// The shape that a name stands for.
    var resolved: ValueShape {
        if case .named(_, _, let make) = self { make().resolved } else { self }
    }

    /// Whether a list may take the place of a number.
    var isSwept: Bool {
        switch self {
        case .integer(_, let isSwept), .number(_, let isSwept): isSwept
        default: true
        }
    }
}

// MARK: - What the reader checks

extension ValueShape {
    var lengthMax: Int? { if case .text(let lengthMax, _) = self { lengthMax } else { nil } }
    var integers: ClosedRange<Int>? { if case .integer(let range, _) = self { range } else { nil } }
    var numbers: ClosedRange<Double>? { if case .number(let range, _) = self { range } else { nil } }
    var elements: (shape: ValueShape, count: ClosedRange<Int>)? {
        if case .list(let element, let count, _) = self { (element.resolved, count) } else { nil }
    }
}

// MARK: - Values that several keys have

extension ValueShape {
    /// A number of records that is not 0.
    static let records: ValueShape = .integer(ScenarioLimits.records)
    /// A probability, or a part of all.
    static let share: ValueShape = .number(ScenarioLimits.share)

    static let fileNamePart: ValueShape = .named("fileNamePart", "A name that is valid in file names.") {
        .text(lengthMax: ScenarioLimits.nameLength, pattern: "^[A-Za-z0-9][A-Za-z0-9._-]*$")
    }

    /// A letter, then letters, digits and `_`. Of ASCII, they are told apart; the rest is left to the reader, since not
    /// every validator knows the categories of Unicode: Python's does not.
    private static let letters = #"[^\x00-@\[-`{-\x7F][^\x00-/:-@\[-^`{-\x7F]*"#

    static let identifier: ValueShape = .named(
        "identifier", "A name of letters of any script, digits and \"_\", which begins with a letter."
    ) {
        .text(lengthMax: ScenarioLimits.nameLength, pattern: "^\(letters)$")
    }

    /// An attribute, or one that relationships lead to, each before a point.
    static let keyPath: ValueShape = .named("keyPath") {
        .text(lengthMax: ScenarioLimits.textLength, pattern: "^\(letters)(\\.\(letters))*$")
    }

    static let time: ValueShape = .named("time", "A point in time, UTC.") {
        .schema([
            ("type", .string("string")), ("pattern", .string(#"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$"#)),
        ])
    }

    static let value: ValueShape = .named(
        "value", "A value of the attribute's type: a date as \"2024-01-31T12:00:00Z\", data in base64."
    ) {
        .schema([("type", .array(["string", "number", "boolean", "null"].map(OrderedJSON.string)))])
    }
}

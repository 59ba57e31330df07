extension ValueShape {
    static let generator: ValueShape = .named("generator", "The source of values.") {
        .any(ObjectShape.generators.map(ValueShape.object))
    }

    /// The end of a range of numbers or dates.
    fileprivate static let bound: ValueShape = .named("bound") { .any([.number(), .time]) }
}

extension ObjectShape {
    fileprivate static let generators = [
        constant, textSequence, numberSequence, dateSequence, uniform, chance, random, choice, words, ascending,
    ]

    private static func generator(
        _ kind: GeneratorKind, as name: String? = nil, _ help: String, _ keys: [Key]
    ) -> ObjectShape {
        ObjectShape(name ?? kind.rawValue, help, keys: [.required("kind", .constant(.string(kind.rawValue)))] + keys)
    }

    static let constant = generator(.constant, "The same value in every record.", [.required("value", .value)])

    static let textSequence = generator(
        .sequence, as: "textSequence", "For strings.",
        [
            .optional(
                "prefix", .text(lengthMax: ScenarioLimits.prefixLength), "The text before the record's ordinal.")
        ])

    static let numberSequence = generator(
        .sequence, as: "numberSequence", "For int64 and double.",
        [
            .optional("start", .number(), "The first record's value; 0 if omitted."),
            .optional("step", .number(), "The distance to the next record; 1 if omitted."),
        ])

    static let dateSequence = generator(
        .sequence, as: "dateSequence", "For dates.",
        [.required("start", .time), .required("step_s", .number(ScenarioLimits.seconds))])

    static let uniform = generator(
        .uniform, "Evenly distributed numbers or dates.", [.required("min", .bound), .required("max", .bound)])

    static let chance = generator(
        .uniform, as: "chance", "For bools.", [.required("probability", .share, "The probability of true.")])

    static let random = generator(
        .random, "Bytes, or lower-case letters in a string.",
        [
            .required(
                "length_bytes", .integer(ScenarioLimits.randomLengthBytes),
                "The length of each value; with length_bytes_max, the least."),
            .optional(
                "length_bytes_max", .integer(ScenarioLimits.randomLengthBytes),
                "The greatest length; lengths are evenly distributed. If omitted, all are length_bytes."),
        ])

    static let choice = generator(
        .choice, "One of a list of values; not for bools and data.",
        [
            .required("values", .list(of: .value, ScenarioLimits.choices), "The values; null stands for none."),
            .optional(
                "weights", .list(of: .number(ScenarioLimits.weight, isSwept: false), ScenarioLimits.choices),
                "How likely each value is, beside the others; all alike if omitted."),
        ])

    static let words = generator(
        .words, "Text of invented words; few of them are frequent, as in real text.",
        [
            .required(
                "count", .integer(ScenarioLimits.words), "The number of words; with count_max, the least."),
            .optional(
                "count_max", .integer(ScenarioLimits.words),
                "The greatest number of words; numbers are evenly distributed. If omitted, all are count."),
            .optional(
                "vocabulary", .integer(ScenarioLimits.vocabulary),
                "The number of different words; \(Vocabulary.standardCount) if omitted."),
        ])

    static let ascending = generator(
        .ascending, "Dates that ascend from record to record, at irregular distances.",
        [
            .required("start", .time),
            .required(
                "step_s", .number(0...ScenarioLimits.seconds.upperBound), "The mean distance to the next record."),
        ])
}

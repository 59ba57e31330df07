extension ObjectShape {
    static let entity = ObjectShape(
        "entity", "A kind of record.",
        keys: [
            .required("name", .identifier),
            .optional(
                "records", .records,
                "Records in a seeded store; of several sizes, in the largest, and in others as many for each record of "
                    + "the first entity, for which the scenario has the number. Not with superentity."),
            .optional(
                "superentity", .identifier,
                "The name of the entity that it inherits from: its records are records of that one, too."),
            .optional(
                "share",
                .schema([("type", .string("number")), ("exclusiveMinimum", .integer(0)), ("maximum", .integer(1))]),
                "With superentity: the share of its records that are of this kind, above 0."),
            .required("attributes", .attributes),
            .optional("relationships", .relationships, "The relationships to records of other entities."),
        ])

    static let relationship = ObjectShape(
        "relationship",
        "A relationship of each record of an entity to one record of another or, with count, to several. The record's "
            + "number draws them.",
        keys: [
            .required("name", .identifier, "The name of the relationship from a record."),
            .required(
                "to", .identifier,
                "The name of the entity that it leads to; of one that inherits, for its records alone."),
            .required("inverse", .identifier, "The name of the relationship that leads back, to many records."),
            .optional(
                "delete_rule", .choice(ReferenceSpec.DeleteRule.self),
                "What becomes of the records of this entity that lead to a deleted one: they lead nowhere, or are deleted, "
                    + "too, or the deletion is refused while any of them stays; nullify if omitted."),
            .optional(
                "ordered", .bool,
                "Whether the inverse keeps its records in order, new ones last; with count, whether the relationship "
                    + "itself does; false if omitted."),
            .optional(
                "count", .integer(ScenarioLimits.links, isSwept: false),
                "The number of records that the relationship leads to, which makes it many-to-many; with count_max, "
                    + "the smallest."),
            .optional(
                "count_max", .integer(ScenarioLimits.links, isSwept: false),
                "The largest number of records that the relationship leads to; count if omitted."),
            .optional(
                "distribution", .choice(ReferenceSpec.Distribution.self),
                "How records are spread over those that the relationship leads to: over all alike, or most of them "
                    + "over a few that are scattered among the others, as in YCSB; uniform if omitted."),
        ])

    static let attribute = ObjectShape(
        "attribute",
        keys: [
            .required("name", .identifier), .required("type", .choice(FieldType.self), "The type of an attribute."),
            .required("generator", .generator),
            .optional(
                "unique", .bool,
                "Whether no two records have the same value, which the store enforces with an index; only with a "
                    + "sequence; false if omitted."),
            .optional(
                "indexed", .bool,
                "Whether the store keeps an index of the values, in every driver; false if omitted."),
            .optional(
                "null_share", .share,
                "The share of records without a value, at random; 0 if omitted. Not with unique."),
        ])
}

extension ValueShape {
    fileprivate static let attributes: ValueShape = .list(of: .object(.attribute), ScenarioLimits.attributes)
    fileprivate static let relationships: ValueShape = .list(of: .object(.relationship), ScenarioLimits.relationships)
}

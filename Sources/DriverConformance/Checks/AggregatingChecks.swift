import BenchHarness

/// The values that the store computes of many records.
enum AggregatingChecks {
    static let all =
        [EntitySpec.everything, .boxedSample].flatMap { entity in
            let name = entity.references == nil ? "alone" : "with a relationship"
            return [
                check("computes each function of each group", name, entity, works(in: groups)),
                check("computes each function of what a filter lets through", name, entity, filtered),
                check("counts the records of each group", name, entity, counts(in: groups)),
            ]
        } + [
            check(
                "computes the ends of dates", "Item", .item,
                works(of: ["createdAt"], [.minimum, .maximum], in: groups(of: ["done"])))
        ]
        + [(EntitySpec.listedItem, "createdAt", ["list.name", "list.position"]), (.boxedSample, "at", ["box.grade"])]
        .flatMap { entity, date, keys in
            [
                related("groups by a relationship", entity, date, entity.toOnes.map(\.relationship)),
                related("groups by attributes of the related record", entity, date, keys),
            ]
        }

    /// The functions of attributes.
    private static let functions = AggregateWork.Function.allCases.filter { $0 != .count }

    /// A group of each type but data, one of them with nulls; and no groups.
    private static let groups = groups(of: ["flag", "rank", "text", "größe", "at"])

    private static func groups(of names: [String]) -> [String?] { [nil] + names }

    /// Some values of an attribute are null, and all of none of the records that the last filter lets through.
    private static let filtered: [AggregateWork] = {
        let filters: [FilterSpec] = [
            .compare(key: "rank", .greater, .int64(5)), .compare(key: "flag", .equal, .bool(true)),
            .compare(key: "rank", .greater, .int64(1_000)),
        ]
        return filters.flatMap { filter in
            works(in: [nil, "flag"]).map { work in
                var work = work
                work.filter = filter
                return work
            }
        }
    }()

    private static func works(
        of attributes: [String] = ["weight", "rank", "größe"], _ functions: [AggregateWork.Function] = functions,
        in groups: [String?]
    ) -> [AggregateWork] {
        groups.flatMap { group in
            attributes.flatMap { attribute in
                functions.map { AggregateWork($0, of: attribute, groupBy: group) }
            }
        }
    }

    /// Counts, of all records and of those that a filter lets through: none in the last one.
    private static func counts(in groups: [String?]) -> [AggregateWork] {
        let filters: [FilterSpec?] = [nil] + [5, 1_000].map { .compare(key: "rank", .greater, .int64($0)) }
        return groups.flatMap { group in filters.map { AggregateWork(.count, filter: $0, groupBy: group) } }
    }

    private static func related(
        _ behaviour: String, _ entity: EntitySpec, _ date: String, _ keys: [String]
    ) -> ConformanceCheck {
        let filter = FilterSpec.compare(key: entity.toOnes[0].relationship + ".name", .notEqual, .string("List 3"))
        let counts = keys.flatMap { key in [nil, filter].map { AggregateWork(.count, filter: $0, groupBy: key) } }
        return check(behaviour, entity.name, entity, counts + works(of: [date], [.minimum, .maximum], in: keys))
    }

    private static func check(
        _ behaviour: String, _ variant: String, _ entity: EntitySpec, _ works: [AggregateWork]
    ) -> ConformanceCheck {
        ConformanceCheck(
            "aggregating", behaviour, variant, entity: entity, needs: works.map(Phase.Work.aggregate)
        ) { store in
            let session = try store.seeded(300)
            var expected = ExpectedStore(store.entity.withTargets.map(RecordGenerator.conformance))
            expected.seed(records: 300)
            for work in works {
                if let problem = expected.problem(of: work, try session.aggregate(work)) {
                    throw Discrepancy(description: problem)
                }
            }
        }
    }
}

import BenchHarness

/// The values that the store computes of many records.
enum AggregatingChecks {
    static let all =
        [EntitySpec.everything, .ownedSample].flatMap { entity in
            let name = entity.owner == nil ? "alone" : "with owners"
            return [
                check("computes each function of each group", name, entity, works(in: groups)),
                check("computes each function of what a filter lets through", name, entity, filtered),
            ]
        } + [
            check(
                "computes the ends of dates", "Item", .item,
                works(of: ["createdAt"], [.minimum, .maximum], in: groups(of: ["done"])))
        ]

    private static let functions = AggregateWork.Function.allCases

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

    private static func check(
        _ behaviour: String, _ variant: String, _ entity: EntitySpec, _ works: [AggregateWork]
    ) -> ConformanceCheck {
        ConformanceCheck(
            "aggregating", behaviour, variant, entity: entity, needs: works.map(Phase.Work.aggregate)
        ) { store in
            let session = try store.seeded(300)
            var expected = ExpectedStore(generator: store.records)
            expected.seed(records: 300)
            for work in works {
                if let problem = expected.problem(of: work, try session.aggregate(work)) {
                    throw Discrepancy(description: problem)
                }
            }
        }
    }
}

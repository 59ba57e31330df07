import BenchHarness

/// The expected results of a fetch, whether or not it blocks its queue.
enum FetchingChecks {
    static let all =
        FetchWork.Mode.allCases.flatMap { mode in
            [sortedByDate(mode), filtered(mode), limited(mode), untouched(mode), nothing(mode)]
        } + [sortedByEachType, sortedBySeveralKeys, listed, delivered, refused, anyName, reopened] + CaseChecks.all
        + [EntitySpec.item, .everything].map(someAttributes)

    private static func check(
        _ behaviour: String, _ variant: String? = nil, entity: EntitySpec = .item, needs works: [FetchWork],
        body: @escaping @Sendable (CheckedStore) throws -> Void
    ) -> ConformanceCheck {
        ConformanceCheck("fetching", behaviour, variant, entity: entity, needs: works.map(Phase.Work.fetch), body: body)
    }

    private static func sortedByDate(_ mode: FetchWork.Mode) -> ConformanceCheck {
        let work = FetchWork(mode: mode, sort: [SortSpec(key: "createdAt")])
        return check("sorts by a date", mode.rawValue, needs: [work]) { store in
            let sorted = (0..<3_000).sorted { store.records.double(1, $0) < store.records.double(1, $1) }
            try store.seeded(3_000).expectFetched(work, store.expected(sorted))
        }
    }

    /// The harness takes equal records in any order, and so does this.
    private static let sortedByEachType: ConformanceCheck = {
        let sorts = EntitySpec.everything.attributes.flatMap { attribute in
            [true, false].map { SortSpec(key: attribute.name, ascending: $0) }
        }
        let works = sorts.map { FetchWork(mode: .sync, sort: [$0]) }
        return check(
            "sorts by each type, both ways, equal records in any order", entity: .everything, needs: works
        ) { store in
            let session = try store.seeded(500)
            for (work, sort) in zip(works, sorts) {
                try session.expectFetched(
                    work, store.expected(500, sortedBy: sort.key, ascending: sort.ascending))
            }
        }
    }()

    private static let sortedBySeveralKeys: ConformanceCheck = {
        let sort = [SortSpec(key: "flag"), SortSpec(key: "rank", ascending: false), SortSpec(key: "title")]
        let work = FetchWork(mode: .sync, sort: sort)
        return check("sorts by several keys", entity: .everything, needs: [work]) { store in
            let sorted = (0..<400).sorted { left, right in
                let keys = [left, right].map { (store.records.bool(5, $0) ? 1 : 0, -store.records.int64(3, $0)) }
                return keys[0] == keys[1]
                    ? store.records.string(0, left) < store.records.string(0, right) : keys[0] < keys[1]
            }
            try store.seeded(400).expectFetched(work, store.expected(sorted))
        }
    }()

    private static func filtered(_ mode: FetchWork.Mode) -> ConformanceCheck {
        let work = FetchWork(mode: mode, filter: .compare(key: "done", .equal, .bool(true)))
        return check("fetches what a filter lets through", mode.rawValue, needs: [work]) { store in
            let matching = (0..<1_000).filter { store.records.bool(2, $0) }
            try store.seeded(1_000).expectFetched(work, store.expected(matching), isOrdered: false)
        }
    }

    /// The attributes "größe" and "text" are null in some records.
    private static let listed: ConformanceCheck = {
        let entity = EntitySpec.everything
        let texts = (0..<40).map { RecordGenerator.conformance(entity).value(8, $0) }.filter { $0 != .null }
        let filters: [FilterSpec] = [
            .oneOf(key: "rank", [.int64(-3), .int64(0), .int64(99)]), .oneOf(key: "text", texts),
            .between(key: "weight", .double(-1), .double(2.5)), .between(key: "text", texts[0], texts[0]),
            .compare(key: "größe", .equal, .null), .compare(key: "größe", .notEqual, .double(1.5)),
            .between(key: "größe", .double(0), .double(1.5)),
        ]
        let works = (filters + filters.map { .not($0) }).map { FetchWork(mode: .sync, filter: $0) }
        return check("finds values in a list and in a range, and none", entity: entity, needs: works) { store in
            let session = try store.seeded(300)
            for work in works {
                guard let filter = work.filter.map({ RecordFilter($0, entity: entity) }) else { continue }
                let matching = (0..<300).filter { ordinal in filter.matches { store.records.value($0, ordinal) } }
                try session.expectFetched(work, store.expected(matching), isOrdered: false)
                session.finish()
            }
        }
    }()

    private static func limited(_ mode: FetchWork.Mode) -> ConformanceCheck {
        let work = FetchWork(mode: mode, sort: [SortSpec(key: "createdAt", ascending: false)], limit: 25)
        return check("stops at a limit, after sorting", mode.rawValue, needs: [work]) { store in
            let first = store.ordinals(1_000, sortedBy: "createdAt", ascending: false).prefix(25)
            try store.seeded(1_000).expectFetched(work, store.expected(first))
        }
    }

    private static func untouched(_ mode: FetchWork.Mode) -> ConformanceCheck {
        let work = FetchWork(mode: mode, touch: .none)
        return check("fetches without touching", mode.rawValue, needs: [work]) { store in
            try store.seeded(100).expectFetched(work, store.expected(0..<100), isOrdered: false)
        }
    }

    private static func nothing(_ mode: FetchWork.Mode) -> ConformanceCheck {
        let work = FetchWork(mode: mode, sort: [SortSpec(key: "name")])
        return check("finds nothing in an empty store", mode.rawValue, needs: [work]) { store in
            try expectEqual(store.open().fetch(work).count, 0, "the records found in an empty store are")
        }
    }

    private static func someAttributes(_ entity: EntitySpec) -> ConformanceCheck {
        let names = entity.attributes.map(\.name)
        let excluded = RecordGenerator.conformance(entity).value(0, 7)
        let works = [[names[2], names[0]], [names[1]], names].map { wanted in
            // Neither of these is alike in two records, so that a limit leaves no choice.
            let key = wanted.contains(names[0]) ? names[0] : names[1]
            return FetchWork(
                mode: .sync, sort: [SortSpec(key: key, ascending: false)],
                filter: .compare(key: names[0], .notEqual, excluded), limit: 250, attributes: wanted)
        }
        return check(
            "fetches some attributes alone, in the entity's order", entity.name, entity: entity, needs: works
        ) { store in
            let session = try store.seeded(300)
            for work in works {
                let sorted = store.ordinals(300, sortedBy: work.sort[0].key, ascending: false).filter { $0 != 7 }
                try session.expectFetched(work, store.expected(sorted.prefix(250), keeping: work.attributes))
            }
        }
    }

    private static let delivered: ConformanceCheck = {
        let work = FetchWork(mode: .async)
        return check("leaves the queue free once the records were delivered", needs: [work]) { store in
            let session = try store.seeded(10_000)
            let fetched = try session.fetch(work)
            try expectEqual(session.queue.sync { fetched.count }, 10_000, "the records counted on the queue are")
        }
    }()

    /// A scenario that was read names attributes alone; one that a program makes may name anything, and a fetch that
    /// leaves such a key out measures other work than it was told to do.
    private static let refused: ConformanceCheck = {
        let work = FetchWork(mode: .sync, sort: [SortSpec(key: "nmae")])
        return check("names an attribute that the entity does not have", needs: [work]) { store in
            let session = try store.seeded(1)
            let error = try expectRefusal(of: "sorting by nmae, which is no attribute,") {
                _ = try session.fetch(work)
            }
            try expect(error.contains("nmae"), "the error is \"\(error)\"; expected it to name nmae")
        }
    }()

    private static let anyName = check(
        "fetches an entity of any name",
        entity: EntitySpec(name: "Task", attributes: EntitySpec.item.attributes), needs: [FetchWork(mode: .sync)]
    ) { store in
        try store.seeded(200).expectFetched(FetchWork(mode: .sync), store.expected(0..<200), isOrdered: false)
    }

    private static let reopened = check("fetches again after it was closed", needs: [FetchWork(mode: .sync)]) {
        store in
        try store.seeded(300).close()
        try store.open().expectFetched(FetchWork(mode: .sync), store.expected(0..<300), isOrdered: false)
    }
}

import BenchHarness

/// The expected content of the store after a deletion, and the numbers of records that are counted.
enum DeletingChecks {
    static let all =
        DeleteWork.Mode.allCases.flatMap { [every($0), some($0), again($0), first($0)] }
        + [EntitySpec.everything, .boxedSample].map(counted)

    private static func check(
        _ behaviour: String, _ work: DeleteWork, entity: EntitySpec = .item,
        body: @escaping @Sendable (CheckedStore) throws -> Void
    ) -> ConformanceCheck {
        ConformanceCheck(
            "deleting", behaviour, work.mode.rawValue, entity: entity, needs: [.delete(work)], body: body)
    }

    private static func every(_ mode: DeleteWork.Mode) -> ConformanceCheck {
        let work = DeleteWork(mode: mode)
        return check("deletes every record", work) { store in
            let session = try store.seeded(500)
            try session.delete(work)
            try session.expectStored(store.expected(0..<0))
            try session.expectSound()
        }
    }

    /// The values to filter by are null in some records.
    private static func some(_ mode: DeleteWork.Mode) -> ConformanceCheck {
        let entity = EntitySpec.everything
        let filter = FilterSpec.not(.compare(key: "größe", .equal, .double(1.5)))
        let work = DeleteWork(mode: mode, filter: filter)
        return check("deletes what a filter lets through", work, entity: entity) { store in
            let session = try store.seeded(500)
            try session.delete(work)
            let condition = RecordFilter(filter, entity: entity)
            let left = (0..<500).filter { ordinal in !condition.matches { store.records.value($0, ordinal) } }
            try session.expectStored(store.expected(left))
            try session.expectSound()
        }
    }

    /// The first key is alike in many records, and the last in none.
    private static func first(_ mode: DeleteWork.Mode) -> ConformanceCheck {
        let entity = EntitySpec.everything
        let sort = [SortSpec(key: "rank", ascending: false), SortSpec(key: "at")]
        let filter = FilterSpec.compare(key: "text", .notEqual, .null)
        let work = DeleteWork(mode: mode, filter: filter, sort: sort, limit: 90)
        return check("deletes the first records of an order", work, entity: entity) { store in
            let session = try store.seeded(300)
            let sorted = (0..<300).filter { store.records.value(8, $0) != .null }.sorted { left, right in
                let keys = [left, right].map { (-store.records.int64(3, $0), store.records.double(4, $0)) }
                return keys[0] < keys[1]
            }
            precondition(sorted.count > 180, "a filter that lets too few through")
            for deleted in [90, 180] {
                try session.delete(work)
                let gone = Set(sorted.prefix(deleted))
                try session.expectStored(store.expected((0..<300).filter { !gone.contains($0) }))
            }
            try session.delete(DeleteWork(mode: mode, sort: sort, limit: 1_000))
            try session.expectStored(store.expected(0..<0))
            try session.expectSound()
        }
    }

    /// What is gone is not found any more, and another deletion finds the rest.
    private static func again(_ mode: DeleteWork.Mode) -> ConformanceCheck {
        let filter = FilterSpec.compare(key: "done", .equal, .bool(true))
        return check("deletes and fetches in turns", DeleteWork(mode: mode, filter: filter)) { store in
            let session = try store.seeded(300)
            let left = (0..<300).filter { !store.records.bool(2, $0) }
            for _ in 0..<2 {
                try session.delete(DeleteWork(mode: mode, filter: filter))
                try session.expectFetched(FetchWork(mode: .sync), store.expected(left), isOrdered: false)
                session.finish()
            }
            try session.delete(DeleteWork(mode: mode))
            try session.expectStored(store.expected(0..<0))
        }
    }

    private static func counted(_ entity: EntitySpec) -> ConformanceCheck {
        var filters: [FilterSpec?] = [
            nil, .compare(key: "note", .equal, .null), .not(.oneOf(key: "rank", [.int64(0), .int64(3)])),
            .between(key: "größe", .double(1), .double(2)), .compare(key: "rank", .greater, .int64(1_000)),
        ]
        if let toOne = entity.toOnes.first {
            filters.append(.compare(key: toOne.relationship + ".name", .endsWith, .string("7")))
        }
        let works = filters.map { CountWork(filter: $0) }
        return ConformanceCheck(
            "counting", "counts what a filter lets through", entity.references == nil ? "alone" : "with a relationship",
            entity: entity,
            needs: works.map(Phase.Work.count)
        ) { store in
            let session = try store.seeded(300)
            for work in works {
                let condition = work.filter.map { RecordFilter($0, entity: entity, targets: store.targets) }
                let wanted = (0..<300).count { ordinal in
                    condition?.matches { store.records.value($0, ordinal) } ?? true
                }
                try expectEqual(session.count(work), wanted, "the records counted are")
            }
        }
    }
}

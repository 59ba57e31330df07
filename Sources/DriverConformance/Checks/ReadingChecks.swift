import BenchHarness

/// The fetches besides those of whole results.
enum ReadingChecks {
    static let all =
        [EntitySpec.item, .everything, .boxedSample].map(single) + [missing]
        + [true, false].flatMap { [pagesByOffset(ascending: $0), pagesByKey(ascending: $0)] }

    private static func getting(
        _ behaviour: String, _ variant: String? = nil, entity: EntitySpec = .item,
        body: @escaping @Sendable (CheckedStore) throws -> Void
    ) -> ConformanceCheck {
        ConformanceCheck(
            "getting", behaviour, variant, entity: entity, needs: [.get(GetWork(count: 1))], body: body)
    }

    /// One of them twice, and none in the order of the keys.
    private static func single(_ entity: EntitySpec) -> ConformanceCheck {
        let name = entity.references == nil ? entity.name : "with a relationship"
        return getting("fetches the records with the keys that are asked for", name, entity: entity) { store in
            let session = try store.seeded(300)
            try session.get([17, 299, 0, 17, 150]) { ordinal, found in
                try session.expectHeld(found, "the get found", store.expected([ordinal]))
            }
        }
    }

    private static let missing = getting("finds no record that is not there") { store in
        let session = try store.seeded(300)
        try session.get([300, 5_000]) { _, found in
            try session.expectHeld(found, "the get found", store.expected([]))
        }
    }

    private static func paging(
        _ behaviour: String, _ mode: PageWork.Mode, ascending: Bool,
        body: @escaping @Sendable (CheckedStore) throws -> Void
    ) -> ConformanceCheck {
        let work = PageWork(by: mode, pageSize: 1, sort: [SortSpec(key: "number")])
        return ConformanceCheck(
            "paging", behaviour, ascending ? "ascending" : "descending", entity: .numbered, needs: [.page(work)],
            body: body)
    }

    /// 300 records make four pages of 70 and a shorter one. All records have the first sort key in common.
    private static func pagesByOffset(ascending: Bool) -> ConformanceCheck {
        paging("returns each page after those before", .offset, ascending: ascending) { store in
            let session = try store.seeded(300)
            let sort = [SortSpec(key: "score"), SortSpec(key: "number", ascending: ascending)]
            let work = FetchWork(mode: .sync, sort: sort, limit: 70)
            let ordered = ascending ? Array(0..<300) : Array((0..<300).reversed())
            for offset in stride(from: 0, through: 350, by: 70) {
                let page = store.expected(ordered.dropFirst(offset).prefix(70))
                try session.expectHeld(session.page(work, offset: offset), "the page has", page, isOrdered: true)
            }
        }
    }

    private static func pagesByKey(ascending: Bool) -> ConformanceCheck {
        paging("returns each page that begins behind a key", .key, ascending: ascending) { store in
            let session = try store.seeded(300)
            var work = FetchWork(mode: .sync, sort: [SortSpec(key: "number", ascending: ascending)], limit: 70)
            let ordered = ascending ? Array(0..<300) : Array((0..<300).reversed())
            for start in stride(from: 70, through: 280, by: 70) {
                let last = store.records.value(0, ordered[start - 1])
                work.filter = .compare(key: "number", ascending ? .greater : .less, last)
                let page = store.expected(ordered.dropFirst(start).prefix(70))
                try session.expectHeld(session.page(work, offset: 0), "the page has", page, isOrdered: true)
            }
        }
    }
}

import BenchHarness

/// The rules for an entity whose records lead to those of another.
struct RelationshipChecks {
    /// The checks for two entities: drivers may have a typed class for the first, but none has one for the second.
    static let all = [EntitySpec.listedItem, .boxedSample].flatMap { entity in
        let checks = RelationshipChecks(entity: entity, toOne: entity.toOnes[0])
        return [0, 7].map(checks.stored(savingEvery:)) + [checks.followed]
            + FetchWork.Mode.allCases.flatMap { [checks.filtered($0), checks.sorted($0)] } + [checks.paged]
            + UpdateWork.Mode.allCases.map(checks.moved)
    }

    let entity: EntitySpec
    let toOne: ReferenceSpec

    private func check(
        _ behaviour: String, _ variant: String? = nil, needs works: [Phase.Work] = [],
        body: @escaping @Sendable (CheckedStore) throws -> Void
    ) -> ConformanceCheck {
        let variants = [entity.name, variant].compactMap { $0 }
        return ConformanceCheck(
            "relationships", behaviour, variants.joined(separator: ", "), entity: entity, needs: works, body: body)
    }

    private func stored(savingEvery records: Int) -> ConformanceCheck {
        check(
            "stores which record leads to which, and all of these", records == 0 ? "one save" : "every \(records)"
        ) {
            store in
            let session = try store.open()
            try session.seed(300, saveEvery: records)
            try session.expectStored(store.expectedWithTargets(0..<300))
            try session.expectSound()
        }
    }

    private var followed: ConformanceCheck {
        let attributes = entity.attributes
        let works = [false, true].flatMap { prefetch in
            [
                FetchWork(mode: .sync, follow: FollowSpec(relationship: toOne.relationship, prefetch: prefetch)),
                FetchWork(
                    mode: .sync, sort: [SortSpec(key: attributes[1].name, ascending: false)],
                    filter: .compare(
                        key: attributes[0].name, .notEqual, RecordGenerator.conformance(entity).value(0, 3)),
                    limit: 200, follow: FollowSpec(relationship: toOne.relationship, prefetch: prefetch)),
            ]
        }
        return check("follows them, prefetched or not", needs: works.map(Phase.Work.fetch)) { store in
            let session = try store.seeded(300)
            for work in works {
                try session.expectFetched(work, store.expectation(for: work, among: 300))
                session.finish()
            }
        }
    }

    private func filtered(_ mode: FetchWork.Mode) -> ConformanceCheck {
        let key = toOne.relationship + ".name"
        let filter = FilterSpec.or([
            .compare(key: key, .endsWith, .string("7")), .not(.compare(key: key, .greater, .string("List 2"))),
        ])
        let work = FetchWork(mode: mode, filter: filter)
        return check("looks through them in a filter", mode.rawValue, needs: [.fetch(work)]) { store in
            let expectation = store.expectation(for: work, among: 300)
            precondition((1..<300).contains(expectation.count), "a filter that lets all through, or none")
            try store.seeded(300).expectFetched(work, expectation)
        }
    }

    /// The orders by attributes of related records, which several have alike, and then by one of their own.
    private var sorts: [[SortSpec]] {
        let last = SortSpec(key: entity.attributes[1].name, ascending: false)
        return entity.withTargets[1].attributes.flatMap { attribute in
            [true, false].map { [SortSpec(key: "\(toOne.relationship).\(attribute.name)", ascending: $0), last] }
        }
    }

    private func sorted(_ mode: FetchWork.Mode) -> ConformanceCheck {
        let filter = FilterSpec.compare(key: toOne.relationship + ".name", .notEqual, .string("List 3"))
        let works = sorts.flatMap { sort in
            [FetchWork(mode: mode, sort: sort), FetchWork(mode: mode, sort: sort, filter: filter, limit: 90)]
        }
        return check("sorts by attributes of the related record", mode.rawValue, needs: works.map(Phase.Work.fetch)) {
            store in
            let session = try store.seeded(300)
            for work in works {
                try session.expectFetched(work, store.expectation(for: work, among: 300))
                session.finish()
            }
        }
    }

    /// No two records are alike in all keys, so that pages after one another are the whole result.
    private var paged: ConformanceCheck {
        let works = sorts.map { PageWork(by: .offset, pageSize: 70, sort: $0) }
        return check("fetches pages sorted by attributes of the related record", needs: works.map(Phase.Work.page)) {
            store in
            let session = try store.seeded(300)
            for work in works {
                let whole = FetchWork(mode: .sync, sort: work.sort)
                let expectation = store.expectation(for: whole, among: 300)
                var digester = expectation.makeDigester()
                let page = FetchWork(mode: .sync, sort: work.sort, limit: work.pageSize)
                for offset in stride(from: 0, to: 300, by: work.pageSize) {
                    try session.page(page, offset: offset).digest(into: &digester)
                    session.finish()
                }
                if let problem = expectation.discrepancy(in: digester) { throw Discrepancy(description: problem) }
            }
        }
    }

    /// Checks an update that moves the records that lead to one whose name ends with 7, and changes another attribute
    /// too.
    private func moved(_ mode: UpdateWork.Mode) -> ConformanceCheck {
        let other = RecordGenerator.conformance(entity).value(2, 5)
        let work = UpdateWork(
            mode: mode,
            set: [
                AttributeChange(attribute: toOne.relationship, operation: .assign(.int64(3))),
                AttributeChange(attribute: entity.attributes[2].name, operation: .assign(other)),
            ], filter: .compare(key: toOne.relationship + ".name", .endsWith, .string("7")), chunkSize: 9)
        return check("moves records to another", mode.rawValue, needs: [.update(work)]) { store in
            let session = try store.seeded(300)
            try session.update(work)
            let moved = store.ordinals(300, whoseTargetEndsWith: "7")
            precondition((1..<300).contains(moved.count), "an update that moves every record, or none")
            let expected = store.expectedWithTargets(0..<300) { ordinal, values in
                if moved.contains(ordinal) { (values[2], values[values.count - 1]) = (other, .int64(3)) }
            }
            try session.expectStored(expected)
            try session.expectSound()
        }
    }
}

extension CheckedStore {
    /// Returns the expected result of a fetch among `count` unchanged records.
    fileprivate func expectation(for work: FetchWork, among count: Int) -> FetchExpectation {
        var store = ExpectedStore(entity.withTargets.map(RecordGenerator.conformance))
        store.seed(records: count)
        return store.expectation(for: work)
    }

    /// Returns the records with `ordinals`, each changed by `change`, then every record that they may lead to, with its
    /// number.
    func expectedWithTargets(
        _ ordinals: some Sequence<Int>, changing change: (Int, inout [FieldValue]) -> Void = { _, _ in }
    ) -> ExpectedRecords {
        var expected = expected(ordinals, changing: change)
        for target in entity.withTargets.dropFirst().map(RecordGenerator.conformance) {
            for number in 1...(target.entity.records ?? 0) {
                let values = target.entity.attributes.indices.map { target.value($0, number - 1) }
                expected.append("\(target.entity.name) \(number)", values + [.int64(Int64(number))])
            }
        }
        return expected
    }

    /// Returns the ordinals below `count` of records that lead to one whose name has this end.
    fileprivate func ordinals(_ count: Int, whoseTargetEndsWith end: String) -> Set<Int> {
        let target = RecordGenerator.conformance(entity.withTargets[1])
        let matching = (0..<count).filter { ordinal in
            target.string(0, Int(records.int64(entity.toOneAttributes.lowerBound, ordinal)) - 1).hasSuffix(end)
        }
        return Set(matching)
    }
}

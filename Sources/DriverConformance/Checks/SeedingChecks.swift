import BenchHarness

/// The duties of every session: it stores records, finds them again, and counts its work.
enum SeedingChecks {
    static let all =
        [stored, everyType, anyName, none, reopened, counted, written]
        + [1, 7, 64, 100, 1_000].map(saved(every:)) + [0, 1, 7, 64, 1_000].map(reported(every:))

    private static func check(
        _ behaviour: String, _ variant: String? = nil, entity: EntitySpec = .item, needs works: [Phase.Work] = [],
        body: @escaping @Sendable (CheckedStore) throws -> Void
    ) -> ConformanceCheck {
        ConformanceCheck("seeding", behaviour, variant, entity: entity, needs: works, body: body)
    }

    private static let stored = check("stores the records that the generator makes") { store in
        let session = try store.seeded(1_000)
        try session.expectStored(store.expected(0..<1_000))
        try session.expectSound()
    }

    private static let everyType = check("stores every type of attribute", entity: .everything) { store in
        let session = try store.seeded(200)
        try session.expectStored(store.expected(0..<200))
        try session.expectSound()
    }

    private static let anyName = check(
        "stores an entity of any name", entity: EntitySpec(name: "Task", attributes: EntitySpec.item.attributes)
    ) { store in
        try store.seeded(200).expectStored(store.expected(0..<200))
    }

    private static func saved(every records: Int) -> ConformanceCheck {
        check("saves as often as it is told to", "every \(records)") { store in
            let session = try store.open()
            try session.seed(130, saveEvery: records)
            try session.expectStored(store.expected(0..<130))
        }
    }

    private static func reported(every records: Int) -> ConformanceCheck {
        check("reports each of its saves", records == 0 ? "one" : "every \(records)") { store in
            let session = try store.open()
            let reported = try session.seed(130, saveEvery: records)
            let least = SeedWork(saveEvery: records).saves(of: 130).count
            try expect(reported >= least, "\(reported) reported saves of 130 records; expected \(least) or more")
        }
    }

    private static let none = check("seeds nothing when there is nothing to seed") { store in
        let session = try store.seeded(0)
        try session.expectStored(store.expected(0..<0))
        try session.expectSound()
    }

    private static let reopened = check("finds its records again after it was closed") { store in
        try store.seeded(300).close()
        try store.open().expectStored(store.expected(0..<300))
    }

    private static let written = check("keeps its records when the log is written back", needs: [.checkpoint]) {
        store in
        let session = try store.seeded(500)
        try session.checkpoint()
        try session.expectStored(store.expected(0..<500))
        try session.expectSound()
    }

    /// A driver may leave a counter unknown, but a known counter must be right.
    private static let counted = check("counts what it does, from zero after a reset") { store in
        let session = try store.open()
        session.resetCounters()
        try expectZero(session.counters(), "after a reset the session counts")
        try session.seed(640)
        let counters = try session.counters()
        try expectKnown(counters.statements, "statements for 640 records:", "1 or more") { $0 > 0 }
        try expectKnown(counters.vmSteps, "steps of the virtual machine for 640 records:", "more than 640") {
            $0 > 640
        }
        try expectKnown(counters.rows, "rows for 640 records:", "640 or more") { $0 >= 640 }
        try expectKnown(counters.pagesWritten, "pages written for 640 records:", "1 or more") { $0 > 0 }
        try expectKnown(counters.conflicts, "conflicts without another writer:", "0") { $0 == 0 }
        try expectKnown(counters.storeMemoryPeakBytes, "bytes at the peak for 640 records:", "1 or more") { $0 > 0 }
        session.resetCounters()
        try expectZero(session.counters(), "after another reset the session counts")
    }

    private static func expectZero(_ counters: StoreCounters, _ what: String) throws {
        try expectKnown(counters.statements, "\(what) so many statements:", "0") { $0 == 0 }
        try expectKnown(counters.vmSteps, "\(what) so many steps of the virtual machine:", "0") { $0 == 0 }
    }
}

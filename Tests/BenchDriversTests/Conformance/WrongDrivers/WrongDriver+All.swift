import BenchDrivers

extension WrongDriver {
    /// Faults that a driver may have, so many that each check finds one.
    static let all = stored + fetched + delivered + changed + loaded

    private static let stored = [
        WrongDriver(
            "loses the last record of a seed",
            fails: [
                ("seeding: stores", "missing: 1"), ("seeding: saves", "missing: 1"), ("seeding: finds", "missing: 1"),
                ("seeding: keeps", "missing: 1"), ("relationships: stores", "missing: 1, the first record 299 "),
            ]
        ) { base, _ in SeedingWrong(base, by: -1) },
        WrongDriver(
            "seeds a record too many", fails: [("seeding: seeds nothing", "the store holds 1 records; expected 0")]
        ) { base, _ in SeedingWrong(base, by: 1) },
        WrongDriver("reports no saves of a seed", fails: [("seeding: reports", "0 reported saves of 130 records")]) {
            base, _ in Unreporting(base)
        },
        WrongDriver("resets no counter", fails: [("seeding: counts", "after another reset")]) { base, _ in
            CountingOn(base)
        },
        WrongDriver("is damaged", fails: [("seeding: stores the records", "found [\"damaged\"]")]) { base, _ in
            Damaged(base)
        },
    ]

    private static let fetched = [
        WrongDriver(
            "leaves a record out of a fetch",
            fails: [
                ("fetching: sorts", "missing: 1"), ("fetching: fetches", "missing: 1"),
                ("fetching: leaves the queue free", "9999; expected 10000"),
                ("cancelling: fetches everything", "missing: 1"),
                ("cancelling: tells", "4999; expected 5000"),
                ("relationships: follows", "records were fetched; expected"),
            ]
        ) { base, _ in Forgetting(base) },
        WrongDriver(
            "gets the record after the one that is asked for",
            fails: [("getting: fetches", "unexpected: 1"), ("getting: finds no", "1 records; expected 0")]
        ) { base, _ in GettingNext(base) },
        WrongDriver(
            "begins each page with the first record",
            fails: [
                ("paging: returns each page after", "missing: "),
                ("relationships: fetches pages", "350 records were fetched; expected 300"),
            ]
        ) { base, _ in PagingFromStart(base) },
        WrongDriver(
            "ignores the filter of a page", fails: [("paging: returns each page that", "missing: ")]
        ) { base, _ in PagingEverything(base) },
        WrongDriver(
            "ignores the sort",
            fails: [
                ("fetching: sorts", "another order"), ("fetching: stops", "missing"),
                ("fetching: names", "succeeded; expected an error"),
            ]
        ) { base, _ in Fetching(base) { $0.sort = [] } },
        WrongDriver(
            "ignores the sort by related records",
            fails: [("relationships: sorts by attributes of the related record", "out of order")]
        ) { base, _ in Fetching(base) { $0.sort.removeAll { $0.key.contains(".") } } },
        WrongDriver("ignores a limit", fails: [("fetching: stops at a limit", "1000 records; expected 25")]) {
            base, _ in Fetching(base) { $0.limit = 0 }
        },
        WrongDriver(
            "ignores a filter",
            fails: [
                ("fetching: fetches what a filter", "unexpected"), ("fetching: finds values", "unexpected"),
                ("relationships: looks", "300 records were fetched; expected"),
            ]
        ) { base, _ in Fetching(base) { $0.filter = nil } },
        WrongDriver("heeds case", fails: [("fetching: ignores case", "missing: ")]) { base, _ in
            Fetching(base) { $0.filter = $0.filter?.heedingCase }
        },
        WrongDriver("fetches every attribute", fails: [("fetching: fetches some attributes", "unexpected")]) {
            base, _ in Fetching(base) { $0.attributes = nil }
        },
        WrongDriver("miscounts what it fetched", fails: [("fetching: finds nothing", "1; expected 0")]) { base, _ in
            Miscounting(base)
        },
        WrongDriver(
            "leaves out what a record leads to", fails: [("relationships: follows", "hold other values")]
        ) { base, _ in Fetching(base) { $0.follow = nil } },
    ]

    private static let delivered = [
        WrongDriver("ignores a cancellation", fails: [("cancelling: hands back nothing", "20000; expected 0")]) {
            base, _ in Unstoppable(base)
        },
        WrongDriver(
            "tells the harness nothing",
            fails: [("cancelling: hands back nothing", "0 records"), ("cancelling: tells", "0; expected 5000")]
        ) { base, _ in Silent(base) },
        WrongDriver("delivers off its queue", fails: [("cancelling: tells", "off the session's queue: 1")]) {
            base, _ in DeliveringElsewhere(base)
        },
    ]

    private static let changed = [
        WrongDriver(
            "leaves a record as it was when it updates",
            fails: [
                ("updating: changes every", "missing: 1, the first record "),
                ("updating: toggles", "missing: 1, the first record "),
                ("updating: assigns", "missing: 1, the first record "),
                ("updating: changes the same", "missing: 1, the first record "),
            ]
        ) { base, records in Leaving(base, records) },
        WrongDriver("draws one value for all", fails: [("updating: draws", "missing: ")]) { base, _ in
            Coalescing(base, .oneValue)
        },
        WrongDriver(
            "updates nothing",
            fails: [
                ("updating: changes", "missing: "), ("updating: toggles", "missing: 300"),
                ("updating: refuses", "succeeded; expected an error"), ("relationships: moves", "missing: "),
            ]
        ) { base, _ in Idle(base) },
        WrongDriver(
            "leaves out the last record of a save",
            fails: [("inserting: adds", "missing: 2"), ("inserting: gives", "0 records; expected 1")]
        ) { base, _ in InsertingTooFew(base) },
        WrongDriver(
            "keeps known records that arrive again", fails: [("upserting: replaces", "missing: 5")]
        ) { base, _ in KeepingKnown(base) },
        WrongDriver(
            "undoes nothing", over: ManagedDriver(), sessionType: KeepingChanges.self,
            fails: [("undoing: gives", "after undoing, the session holds")]
        ) { base, _ in KeepingChanges(base) },
        WrongDriver(
            "deletes nothing",
            fails: [
                ("deleting: deletes every", "unexpected: 500"), ("deleting: deletes what", "unexpected: "),
                ("deleting: deletes and", "unexpected: "), ("deleting: deletes the first", "unexpected: 90"),
            ]
        ) { base, _ in Keeping(base) },
        WrongDriver(
            "leaves out a group",
            fails: [
                ("aggregating: computes each function of each", "groups; expected "),
                ("aggregating: computes the ends", "groups; expected "),
                ("aggregating: counts the records", "groups; expected "),
                ("aggregating: groups by", "groups; expected "),
            ]
        ) { base, _ in Ungrouping(base) },
        WrongDriver(
            "computes of all records",
            fails: [
                ("aggregating: computes each function of what", "expected "),
                ("aggregating: counts the records", "expected "), ("aggregating: groups by", "expected "),
            ]
        ) { base, _ in AggregatingAll(base) },
        WrongDriver("counts a record too many", fails: [("counting: counts", "301; expected 300")]) { base, _ in
            Overcounting(base)
        },
        WrongDriver(
            "times nothing of its chunks",
            fails: [("updating: times", "a timed chunk of 100 records took 0 rows; expected 200")]
        ) { base, _ in Untimed(base) },
        WrongDriver(
            "merges an insertion twice", over: ManagedDriver(),
            fails: [
                ("merging: loses", "repeated: 30"), ("merging: ends up", "repeated: 30"),
                ("merging: inserts", "8; expected 5"), ("merging: needs", "20; expected 10"),
            ]
        ) { base, _ in Doubling(base) },
    ]

    private static let loaded = [
        WrongDriver(
            "loses acknowledged writes",
            fails: [
                ("loads: does every operation", "the load is failed: "), ("loads: settles", "the load is failed: "),
                ("loads: counts every one of the saves that meet (unobserved", "the load is failed: "),
            ]
        ) { base, _ in Losing(base) },
        WrongDriver(
            "loses acknowledged writes that others are told of", over: ManagedDriver(), sessionType: LosingWatched.self,
            fails: [
                ("loads: counts every one of the saves that meet (notifications", "the load is failed: "),
                ("loads: counts every one of the saves that meet (controller", "the load is failed: "),
                ("loads: shows the head", "the load is failed: "),
            ]
        ) { base, _ in LosingWatched(base) },
        WrongDriver("fails to read under load", fails: [("loads: keeps to a rate", "expected met")]) { base, _ in
            FailingReads(base)
        },
    ]
}

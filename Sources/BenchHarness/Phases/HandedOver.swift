/// The records that a session has handed over, until their release: the release of a million objects takes time, which
/// a phase reports.
final class HandedOver {
    /// The records; nil if there are none, or if they were released.
    private(set) var records: (any FetchedRecords)?

    init(_ records: (any FetchedRecords)?) {
        self.records = records
    }

    /// Releases the records. No one else holds them, so this ends their lives.
    ///
    /// - Returns: The time that it takes, in nanoseconds.
    func release(_ clock: any NanosecondClock) -> Int {
        let start = clock.now()
        records = nil
        return clock.now() - start
    }
}

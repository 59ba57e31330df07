import BenchHarness

/// A clock that counts the rows of a session instead of nanoseconds.
struct RowClock: NanosecondClock {
    /// Unchecked because the clock is read on the thread that uses the session.
    nonisolated(unsafe) let session: any StoreSession

    func now() -> Int { (try? session.counters().rows) ?? 0 }
}

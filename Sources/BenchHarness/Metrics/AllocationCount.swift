import CAllocations

/// What the process has asked of its allocator since it began. All threads count, those that have ended included.
package struct AllocationCount: Sendable, Equatable {
    /// How often it asked: calls of `malloc`, `calloc`, `realloc` and the functions that align.
    package var calls: Int
    /// How much it asked for. A `realloc` asks for its whole new size.
    package var bytes: Int

    package init(calls: Int, bytes: Int) {
        self.calls = calls
        self.bytes = bytes
    }

    /// The count of a phase; nil if its row has none.
    package init?(_ row: ResultRow) {
        guard let calls = row.allocations, let bytes = row.allocatedBytes else { return nil }
        self.init(calls: calls, bytes: bytes)
    }

    /// Returns the count so far; nil if nothing counts, as on other systems than Linux and under a sanitizer.
    package static func now() -> AllocationCount? {
        var sum = allocations()
        guard allocations_read(&sum) != 0 else { return nil }
        return AllocationCount(calls: Int(truncatingIfNeeded: sum.calls), bytes: Int(truncatingIfNeeded: sum.bytes))
    }

    /// Does `body`, whose allocations do not count: work of the harness that is not the phase's.
    package static func leavingOut<Result>(_ body: () throws -> Result) rethrows -> Result {
        let paused = allocations_pause()
        defer { allocations_resume(paused) }
        return try body()
    }

    package static func - (later: AllocationCount, earlier: AllocationCount) -> AllocationCount {
        AllocationCount(calls: later.calls - earlier.calls, bytes: later.bytes - earlier.bytes)
    }
}

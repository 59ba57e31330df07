import Foundation

/// The kernel's policy for batches, under which threads that share a core seldom interrupt one another.
///
/// Under the usual policy, a thread that wakes up may take the core from another. How often the threads of a phase do
/// so to each other is chance, and each time costs a switch and a part of the caches: turns at a merge differ by more.
enum BatchScheduling {
    #if os(Linux)
        /// `SCHED_BATCH` of sched(7), a GNU extension that Glibc's module hides.
        private static let batch: Int32 = 3

        /// Does `body` with this thread under the policy; what it starts meanwhile stays under it. A thread that has a
        /// policy of its own keeps that one.
        static func during<Value>(_ body: () throws -> Value) rethrows -> Value {
            guard sched_getscheduler(0) == SCHED_OTHER, set(batch) else { return try body() }
            defer { _ = set(SCHED_OTHER) }
            return try body()
        }

        /// Returns whether the system allowed it. No privilege is needed; a sandbox may refuse it all the same.
        private static func set(_ policy: Int32) -> Bool {
            var parameters = sched_param()
            parameters.sched_priority = 0
            return sched_setscheduler(0, policy, &parameters) == 0
        }
    #else
        static func during<Value>(_ body: () throws -> Value) rethrows -> Value { try body() }
    #endif
}

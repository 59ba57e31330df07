import Synchronization

/// Gives each context a range of temporary keys of its own, so that temporary IDs of different contexts never meet.
enum TemporaryKeys {
    private static let contexts = Atomic<Int64>(0)

    /// The first key of the next context; 2^32 objects are inserted into one context before ranges would meet.
    static func nextBase() -> Int64 {
        -(contexts.wrappingAdd(1, ordering: .relaxed).oldValue << 32) - 1
    }
}

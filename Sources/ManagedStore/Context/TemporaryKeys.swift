import Synchronization

/// Assigns each context its own range of temporary keys, so that temporary IDs of different contexts never collide.
enum TemporaryKeys {
    private static let contexts = Atomic<Int64>(0)

    /// Returns the first key of the next context. Ranges would overlap only after a context inserted 2^32 objects.
    static func nextBase() -> Int64 {
        -(contexts.wrappingAdd(1, ordering: .relaxed).oldValue << 32) - 1
    }
}

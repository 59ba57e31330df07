import Synchronization

/// A sink for results that nothing else reads: the compiler cannot remove the computation as unused.
public enum BlackHole {
    private static let sum = Atomic<UInt64>(0)

    /// Takes a result.
    public static func consume(_ value: UInt64) { sum.wrappingAdd(value, ordering: .relaxed) }
}

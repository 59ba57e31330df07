import Synchronization

/// Where results go that only exist to be computed: the compiler cannot tell that they are not read.
public enum BlackHole {
    private static let sum = Atomic<UInt64>(0)

    /// Takes a result in.
    public static func consume(_ value: UInt64) { sum.wrappingAdd(value, ordering: .relaxed) }
}

import Synchronization

/// A sink for results that nothing else reads: the compiler cannot remove the computation as unused.
public enum BlackHole {
    private static let sum = Atomic<UInt64>(0)

    /// Takes a result.
    public static func consume(_ value: UInt64) { sum.wrappingAdd(value, ordering: .relaxed) }

    /// Reads every value that `feed` feeds, as the harness reads the records of a fetch: for the workers of a load,
    /// whose operations hand no records over.
    @inlinable
    public static func read(_ feed: (inout RecordDigester) throws -> Void) rethrows {
        var digester = RecordDigester(readingWith: 0)
        try feed(&digester)
        consume(digester.checksum.sum)
    }
}

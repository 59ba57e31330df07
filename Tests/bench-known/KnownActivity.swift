import BenchHarness
import BenchInstrument
import Foundation

/// What a driver does in place of work, known to the nanosecond or to the byte.
struct KnownActivity: Sendable {
    /// Done by a phase that is one operation.
    var whole: @Sendable () -> Void = {}
    /// Done before the first operation of a phase of several.
    var first: @Sendable () -> Void = {}
    /// Done by each operation of a phase of several.
    var each: @Sendable () -> Void = {}

    static let work = KnownWork(
        phaseNanoseconds: 20_000_000, operationNanoseconds: 20_000, allocatedBytes: 64 << 20)

    static let nothing = KnownActivity()
    static let waits = KnownActivity(whole: { wait(work.phaseNanoseconds) }, each: { wait(work.operationNanoseconds) })
    static let allocates = KnownActivity(whole: { touch(work.allocatedBytes) }, first: { touch(work.allocatedBytes) })

    /// Waits for a moment by looking at the clock: a sleep would end when the kernel gets round to it.
    private static func wait(_ nanoseconds: Int) {
        let clock = MonotonicClock()
        let end = clock.now() + nanoseconds
        while clock.now() < end {}
    }

    /// Makes so much memory resident and hands it back. It is more than the allocator keeps for itself
    /// (`M_MMAP_THRESHOLD` never rises beyond 32 MiB), so each time it comes from the kernel and goes there.
    private static func touch(_ bytes: Int) {
        guard let memory = malloc(bytes) else { return }
        defer { free(memory) }
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        for offset in stride(from: 0, to: bytes, by: page) {
            memory.storeBytes(of: UInt8(truncatingIfNeeded: offset / page | 1), toByteOffset: offset, as: UInt8.self)
        }
        BlackHole.consume(UInt64(memory.load(fromByteOffset: bytes / 2 / page * page, as: UInt8.self)))
    }
}

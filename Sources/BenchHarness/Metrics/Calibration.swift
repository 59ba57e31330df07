import CSystem
import Foundation

/// A fixed piece of work, whose time shows how fast the machine is at the moment: its clock rate, its caches, and what
/// other virtual machines on the same core take.
///
/// It is a chain of multiplications, each of which needs the next place of a walk over 256 KiB. So it shows the speed
/// of a core and its own caches, but not of the memory: a walk over more would push the caches that cores share out of
/// the way of the next phase. Its memory comes from the kernel and goes back to it, so that it changes neither the
/// resident memory of a phase nor the state of the allocator.
enum Calibration {
    /// The words of the walk, a power of two: 256 KiB.
    private static let words = 1 << 15
    /// The length of the chain: about a quarter of a millisecond.
    private static let steps = 1 << 15
    /// The fastest of several rounds counts: one that was interrupted says nothing of the speed.
    private static let rounds = 3

    /// Does the work.
    ///
    /// - Returns: Its time in nanoseconds; nil if the system has no memory for it.
    static func measure(_ clock: any NanosecondClock) -> Int? {
        let size = words * MemoryLayout<UInt64>.stride
        guard let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | Self.anonymous, -1, 0),
            memory != MAP_FAILED
        else { return nil }
        defer { munmap(memory, size) }
        let places = memory.bindMemory(to: UInt64.self, capacity: words)
        // The first round also has the kernel provide the pages.
        return (0..<rounds).map { _ in
            let start = clock.now()
            BlackHole.consume(csystem_calibrate(places, words, steps))
            return clock.now() - start
        }.min()
    }

    private static var anonymous: Int32 {
        #if os(Linux)
            MAP_ANONYMOUS
        #else
            MAP_ANON
        #endif
    }
}

import BenchHarness
import Foundation
import Synchronization

/// Asks the allocator for known amounts, and prints how much of that the harness has counted: a line for each
/// case, with the calls and the bytes.
enum AllocationCommand {
    /// - Returns: The exit code.
    static func run() -> Int32 {
        guard AllocationCount.now() != nil else {
            print("nothing counts")
            return 0
        }
        show("malloc") { for _ in 0..<1_000 { release(malloc(24)) } }
        show("calloc") { for _ in 0..<10 { release(calloc(3, 7)) } }
        show("realloc", grow)
        show("aligned", align)
        show("left out") { AllocationCount.leavingOut { for _ in 0..<100 { release(malloc(8)) } } }
        showThreads()
        return 0
    }

    /// Threads that end before they are counted, and others that take their places.
    private static func showThreads() {
        let work = { @Sendable in for _ in 0..<1_000 { release(malloc(8)) } }
        WaitingThreads(count: 4, work).work()
        for name in ["threads", "later threads"] {
            let threads = WaitingThreads(count: 4, work)
            show(name, repetitions: 1) { threads.work() }
        }
    }

    /// The first repetition also prepares what Swift prepares at the first use.
    private static func show(_ name: String, repetitions: Int = 2, _ body: () -> Void) {
        var counted: AllocationCount?
        for _ in 0..<repetitions {
            let before = AllocationCount.now()
            body()
            let after = AllocationCount.now()
            if let before, let after { counted = after - before }
        }
        print(name, counted?.calls ?? -1, counted?.bytes ?? -1)
    }

    /// Without the look at the address, the compiler may leave the allocation out.
    private static func release(_ memory: UnsafeMutableRawPointer?) {
        BlackHole.consume(UInt64(UInt(bitPattern: memory)))
        free(memory)
    }

    private static func grow() {
        var memory = malloc(100)
        memory = realloc(memory, 200)
        memory = realloc(memory, 400)
        memory = realloc(memory, 800)
        release(memory)
    }

    private static func align() {
        var memory: UnsafeMutableRawPointer?
        _ = posix_memalign(&memory, 64, 256)
        release(memory)
        release(aligned_alloc(64, 128))
    }
}

/// Threads that are there before they work: starting a thread allocates.
private final class WaitingThreads: Sendable {
    private let body: @Sendable () -> Void
    private let ready = Atomic<Int>(0)
    private let mayWork = Atomic<Bool>(false)
    private let threads = Mutex<[pthread_t]>([])

    init(count: Int, _ body: @escaping @Sendable () -> Void) {
        self.body = body
        let own = Unmanaged.passUnretained(self).toOpaque()
        for _ in 0..<count {
            var thread = pthread_t()
            pthread_create(
                &thread, nil,
                { pointer in
                    if let pointer { Unmanaged<WaitingThreads>.fromOpaque(pointer).takeUnretainedValue().wait() }
                    return nil
                }, own)
            threads.withLock { $0.append(thread) }
        }
        while ready.load(ordering: .acquiring) < count { sched_yield() }
    }

    private func wait() {
        // What Swift prepares at the first use in a thread.
        body()
        ready.wrappingAdd(1, ordering: .releasing)
        while !mayWork.load(ordering: .acquiring) { sched_yield() }
        body()
    }

    /// Lets the threads work, and end. Iterating over an array may allocate in a debug build.
    func work() {
        mayWork.store(true, ordering: .releasing)
        threads.withLock { threads in
            while let thread = threads.popLast() { pthread_join(thread, nil) }
        }
    }
}

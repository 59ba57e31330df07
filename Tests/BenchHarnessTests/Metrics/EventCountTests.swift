#if os(Linux)
    import Foundation
    import Testing

    @testable import BenchHarness

    /// The counters of the kernel, with page faults in place of instructions, which few virtual machines can count.
    @Suite struct EventCountTests {
        /// PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS.
        private static let pageFaults = EventCount.Event(type: 1, number: 2)
        /// Many, so that those of tests at the same time hardly matter.
        private static let pages = 20_000
        private static let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))

        /// Causes `count` page faults.
        private static func fault(_ count: Int) {
            let size = count * pageSize
            let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
            guard let memory, memory != MAP_FAILED else { return }
            madvise(memory, size, Int32(MADV_NOHUGEPAGE))
            for page in 0..<count { memory.storeBytes(of: 1, toByteOffset: page * pageSize, as: UInt8.self) }
            munmap(memory, size)
        }

        @Test func theCountIncludesThreadsFromBeforeAndNewOnes() throws {
            let (begin, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let old = Thread {
                begin.wait()
                Self.fault(2 * Self.pages)
                done.signal()
            }
            old.start()
            while !old.isExecuting { usleep(100) }
            guard let count = EventCount(Self.pageFaults) else {
                // Containers may forbid the call.
                return
            }
            Self.fault(Self.pages)
            count.start()
            Self.fault(Self.pages)
            begin.signal()
            done.wait()
            Thread.detachNewThread {
                Self.fault(4 * Self.pages)
                done.signal()
            }
            done.wait()
            let counted = try #require(count.stop())
            Self.fault(Self.pages)
            #expect(counted >= 7 * Self.pages, "this thread, one from before and a new one")
            #expect(count.stop() == counted, "it counts no further")
        }
    }
#endif

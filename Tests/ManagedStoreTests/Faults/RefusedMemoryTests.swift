import CFaultVFS
import CSQLite
import TestSupport
import Testing

@testable import ManagedStore

#if compiler(>=6.2)
    /// SQLite is refused memory, in a process of its own, as all of SQLite in a process shares it.
    @Suite struct RefusedMemoryTests {
        /// There are thousands of allocations; every so many-th is enough.
        private static let step = 41

        private static func live(lasts: Bool) throws {
            guard fault_memory_install() == SQLITE_OK else { throw FaultFailure("SQLite was in use already") }
            try live("memory refused, \(lasts ? "lasting" : "once")", RefusedMemory(lasts: lasts), step: step)
        }

        private static func live(_ name: String, _ memory: some FaultInjector, step: Int = 1) throws {
            let run = FaultRun(memory, step: step) { _ in
                let directory = try TemporaryDirectory()
                var workload = try FaultWorkload(directory, memory)
                return try workload.live(memory, [.storeFailure])
            }
            print("faults: \(name): \(run.moments) moments, \(run.errors) errors")
            let isEnough = try run.errors > 0 && run.moments >= FaultTable.moments(name)
            if !run.failures.isEmpty || !isEnough { throw FaultFailure(run.failures.joined(separator: "\n")) }
        }

        @Test func nothingIsLostWhenItIsRefusedOnce() async {
            let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                try RefusedMemoryTests.live(lasts: false)
            }
            Self.show(result?.standardErrorContent)
        }

        @Test func nothingIsLostWhileItIsRefused() async {
            let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                try RefusedMemoryTests.live(lasts: true)
            }
            Self.show(result?.standardErrorContent)
        }

        @Test func nothingIsLostUnderALimitOfTheHeap() async {
            let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                try RefusedMemoryTests.live("heap limit", HeapLimit())
            }
            Self.show(result?.standardErrorContent)
        }

        private static func show(_ output: [UInt8]?) {
            let text = String(decoding: output ?? [], as: UTF8.self)
            #expect(!text.contains("moment"), "\(text)")
        }
    }
#endif

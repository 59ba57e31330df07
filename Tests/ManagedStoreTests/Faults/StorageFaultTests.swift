import TestSupport
import Testing

@testable import ManagedStore

/// SQLite's file system fails at every moment of a store's life.
@Suite struct StorageFaultTests {
    @Test(arguments: StorageFault.errors) func nothingIsLostAndAllCanBeDoneAgain(_ fault: StorageFault) throws {
        let fileSystem = FaultyFileSystem(fault)
        let run = FaultRun(fileSystem) { _ in
            let directory = try TemporaryDirectory()
            var workload = try FaultWorkload(directory, fileSystem)
            return try workload.live(fileSystem, fault.codes)
        }
        print("faults: \(fault.rawValue): \(run.moments) moments, \(run.errors) errors")
        #expect(run.failures == [])
        #expect(run.errors > 0)
        #expect(run.moments >= (try FaultTable.moments(fault.rawValue)))
    }
}

import Foundation
import TestSupport
import Testing

@testable import ManagedStore

/// The power goes at every change to the disk, which keeps what was synced and nothing, or some, of the rest.
@Suite struct PowerCutTests {
    @Test(arguments: StorageFault.powerCuts) func whatWasAcknowledgedIsThereAndNothingByHalves(
        _ fault: StorageFault
    ) throws {
        var moments = 0
        for losesAll in [true, false] {
            let fileSystem = FaultyFileSystem(fault)
            let run = FaultRun(fileSystem) { moment in
                let directory = try TemporaryDirectory()
                let (workload, errors) = try Self.live(fileSystem, directory)
                fileSystem.loseUnsynced(seed: losesAll ? 0 : UInt64(moment))
                fileSystem.lift()
                try Self.check(workload.url, workload.acknowledged, workload.intended, fault)
                return errors
            }
            #expect(run.failures == [])
            #expect(run.errors > 0)
            moments += run.moments
        }
        print("faults: \(fault.rawValue): \(moments) moments")
        #expect(moments >= (try FaultTable.moments(fault.rawValue)))
    }

    /// Goes through the steps up to the power cut; closes the files, but nothing else.
    private static func live(
        _ fileSystem: FaultyFileSystem, _ directory: TemporaryDirectory
    ) throws -> (FaultWorkload, errors: Int) {
        var workload = try FaultWorkload(directory, fileSystem)
        for step in FaultWorkload.Step.allCases {
            workload.prepare(step)
            do {
                try workload.attempt(step)
            } catch let error as StoreError {
                guard StorageFault.powerCutWhenFull.codes.contains(error.code) else { throw error }
                try? workload.coordinator.removePersistentStore()
                return (workload, 1)
            }
            workload.acknowledge()
        }
        return (workload, 0)
    }

    /// The store opens, has all transactions or, where that is all that is promised, some of the first, and can be
    /// written.
    private static func check(
        _ url: URL, _ acknowledged: [FaultWorkload.Rows], _ intended: FaultWorkload.Rows, _ fault: StorageFault
    ) throws {
        let coordinator = PersistentStoreCoordinator(managedObjectModel: try FaultWorkload.model.get())
        try coordinator.addPersistentStore(.sqlite, at: url, options: SQLiteStoreOptions(synchronous: .off))
        let context = ManagedObjectContext(coordinator: coordinator)
        let found = try FaultWorkload.rows(context)
        let allowed = (fault == .powerCutWhenFull ? acknowledged.suffix(1) : acknowledged[...]) + [intended]
        if !allowed.contains(found) { throw FaultFailure("\(found.count) rows, as after no transaction") }
        Item("after", in: context)
        try context.save()
        try coordinator.removePersistentStore()
        let integrity = try RawDatabase(url).lines("PRAGMA integrity_check")
        if integrity != ["ok"] { throw FaultFailure("the file is damaged: \(integrity)") }
    }
}

import CFaultVFS
import CSQLite
import Foundation
import TestSupport
import Testing

@testable import ManagedStore

/// What failed is what the error says: a full disk is not a broken one.
@Suite struct FullDiskTests {
    private func error(_ fault: StorageFault) throws -> StoreError? {
        let fileSystem = FaultyFileSystem(fault)
        let directory = try TemporaryDirectory()
        let context = try fileSystem.contextWithItem(in: directory)
        fileSystem.armWrites()
        defer { fileSystem.lift() }
        do throws(StoreError) {
            try context.save()
            return nil
        } catch {
            return error
        }
    }

    @Test func aWriteThatFailsIsNoFullDisk() throws {
        let error = try error(.ioErrorLasting)
        #expect(error?.code == .storeFailure, "\(String(describing: error))")
        #expect(error?.message.contains("full") == false)
    }

    @Test func aFullDiskIsOne() throws {
        let error = try error(.diskFullLasting)
        #expect(error?.code == .diskFull)
    }

    @Test func aFullQuotaIsAFullDisk() throws {
        let error = try error(.quotaFullLasting)
        #expect(error?.code == .diskFull && error?.message.contains("a quota") == true)
    }

    #if compiler(>=6.2)
        private static func limit(_ bytes: UInt) {
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            limit.rlim_cur = rlim_t(bytes)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        }

        /// Saves more than the limit allows, then less.
        private static func saveTooMuch() throws {
            let directory = try TemporaryDirectory()
            let coordinator = PersistentStoreCoordinator(managedObjectModel: try ManagedObjectModel(Item.self))
            try coordinator.addPersistentStore(.sqlite, at: directory.file("store.sqlite"))
            let context = ManagedObjectContext(coordinator: coordinator)
            limit(200_000)
            // The threads of Dispatch take no signals, but others do.
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGXFSZ)
            pthread_sigmask(SIG_UNBLOCK, &signals, nil)
            let item = Item(String(repeating: "long ", count: 100_000), in: context)
            do {
                try context.save()
                throw FaultFailure("500 KB were saved into 200 KB")
            } catch let error as StoreError {
                guard error.code == .diskFull else { throw FaultFailure("\(error.code): \(error)") }
            }
            item.name = "short"
            try context.save()
        }

        @Test func aFileSizeLimitIsAFullDiskAndDoesNotEndTheProcess() async {
            await #expect(processExitsWith: .success) { try FullDiskTests.saveTooMuch() }
        }

        @Test func aHandlerOfTheProgramsOwnStays() async {
            await #expect(processExitsWith: .exitCode(7)) {
                signal(SIGXFSZ) { _ in _exit(7) }
                try FullDiskTests.saveTooMuch()
            }
        }
    #endif
}

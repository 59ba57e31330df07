import Foundation
import Locking
import TestSupport
import Testing

@testable import ManagedStore

/// A server that is stopped, and says nothing more, for good or until it goes on.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
struct FrozenServerTests {
    private let server: FrozenServer
    private let coordinator: PersistentStoreCoordinator

    private static let names = ["Item 0", "Item 1", "Item 2"]

    /// A store with three items, which was opened while the server worked.
    init() throws {
        server = try FrozenServer()
        coordinator = try PersistentStoreCoordinator.ofItems(at: server.url)
        let context = coordinator.confinedContext()
        for (number, name) in Self.names.enumerated() { Item(name, at: Double(number), in: context) }
        try context.save()
    }

    /// Has the requests in `body` wait for a short time only, or for one in which a busy server answers.
    private func hurrying<Result>(_ milliseconds: Int = 300, _ body: () throws -> Result) rethrows -> Result {
        try PersistentStoreCoordinator.withResponseTimeout(milliseconds: milliseconds, body)
    }

    /// The names in the store, past the proxy.
    private func storedNames() throws -> [String] {
        try PersistentStoreCoordinator.ofItems(at: server.direct).confinedContext().items().map(\.name)
    }

    enum Request: CaseIterable {
        case fetch, count, fault, permanentIDs, save, largeSave, update, insertion, deletion

        func run(_ context: ManagedObjectContext) throws {
            switch self {
            case .fetch: #expect(try context.items().count == 3)
            case .count: #expect(try context.count(for: FetchRequest(Item.self)) == 3)
            case .fault:
                let coordinator = context.persistentStoreCoordinator
                let id = try #require(coordinator.objectID(withPrimaryKey: 2, ofEntityNamed: "Item"))
                #expect(try context.item(id).name == "Item 1")
            case .permanentIDs:
                // More than are reserved already.
                try context.obtainPermanentIDs(for: (0..<100).map { Item("\($0)", in: context) })
            case .save:
                Item("new", in: context)
                try context.save()
            case .largeSave:
                let text = String(repeating: "x", count: 500)
                for number in 0..<20_000 { Item(text, at: Double(number), in: context) }
                try context.save()
            case .update: _ = try context.execute(BatchUpdateRequest(Item.self, set: ["name": "changed"]))
            case .insertion:
                _ = try context.execute(
                    BatchInsertRequest(entityName: "Item", objects: [["name": "new", "createdAt": Date()]]))
            case .deletion: _ = try context.execute(BatchDeleteRequest(fetchRequest: FetchRequest(Item.self)))
            }
        }
    }

    @Test(arguments: Request.allCases)
    func aRequestFailsInTimeChangesNothingAndCanBeRepeated(_ request: Request) throws {
        let error = try server.whileFrozen {
            expectError(.timeout) { try hurrying { try request.run(coordinator.confinedContext()) } }
        }
        #expect(error?.message.contains("said nothing for 300 ms") == true)
        #expect(error?.message.contains("responseTimeoutMilliseconds") == true && error?.sqlState == "08006")
        #expect(try storedNames() == Self.names)
        try request.run(coordinator.confinedContext())
    }

    @Test func aContextKeepsTheChangesOfASaveThatFailed() throws {
        let context = coordinator.confinedContext()
        Item("new", at: 3, in: context)
        try server.whileFrozen { _ = expectError(.timeout) { try hurrying { try context.save() } } }
        #expect(context.hasChanges)
        try context.save()
        #expect(try storedNames() == Self.names + ["new"])
    }

    /// Its server may have received the commit, and carry it out when it goes on.
    @Test(arguments: [ServerProxy.Moment.commitSent, .commitAnswered])
    func aSaveThatWasToBeCommittedIsInDoubtAndSaysSo(_ moment: ServerProxy.Moment) throws {
        let context = coordinator.confinedContext()
        Item("new", at: 3, in: context)
        let error = try server.whileFrozen(at: moment) {
            expectError(.storeFailure) { try hurrying(3_000) { try context.save() } }
        }
        #expect(error?.sqlState == "08007", "\(error.map { "\($0)" } ?? "")")
        #expect(error?.message.contains("said nothing for 3000 ms") == true)
        #expect(error?.message.contains("fetch the objects again") == true && context.hasChanges)
        while try storedNames().count < 4 { usleep(1_000) }
        #expect(try coordinator.confinedContext().items().map(\.name) == Self.names + ["new"])
    }

    @Test func aSaveInDoubtIsSettledIfTheServerGoesOn() throws {
        let context = coordinator.confinedContext()
        Item("new", at: 3, in: context)
        try server.whileFrozen(at: .commitAnswered) {
            Thread.detachNewThread { [proxy = server.proxy] in
                while !proxy.holdsBack.value { usleep(1_000) }
                // While the store asks what became of the save.
                usleep(4_500_000)
                proxy.isFrozen.exchange(false)
            }
            try hurrying(3_000) { try context.save() }
        }
        #expect(try storedNames() == Self.names + ["new"] && !context.hasChanges)
    }

    private func start(_ milliseconds: Int, countsBeforehand: Bool) async throws -> AsynchronousRun {
        let context = ManagedObjectContext(concurrencyType: .privateQueue, coordinator: coordinator)
        return try await context.perform {
            try hurrying(milliseconds) {
                try AsynchronousRun(FetchRequest(Item.self), on: context) { $0.countsBeforehand = countsBeforehand }
            }
        }
    }

    @Test(arguments: [false, true]) func anAsynchronousFetchFailsInTime(countsBeforehand: Bool) async throws {
        let run = try await server.whileFrozen {
            let run = try await start(300, countsBeforehand: countsBeforehand)
            await run.delivered()
            return run
        }
        try await run.result.managedObjectContext.perform {
            #expect(run.result.operationError?.code == .timeout && run.result.finalResult?.isEmpty == true)
        }
        #expect(try coordinator.confinedContext().items().count == 3)
    }

    /// However long the store would wait.
    @Test func anAsynchronousFetchThatIsCancelledEnds() async throws {
        let run = try await server.whileFrozen {
            let run = try await start(0, countsBeforehand: false)
            while !server.proxy.holdsBack.value { try await Task.sleep(for: .milliseconds(1)) }
            run.result.cancel()
            await run.delivered()
            return run
        }
        try await run.result.managedObjectContext.perform {
            #expect(run.result.isCancelled && run.result.operationError == nil)
        }
        #expect(try coordinator.confinedContext().items().count == 3)
    }

    @Test(arguments: [false, true]) func aStoreCanBeRemoved(postsRemoteChanges: Bool) throws {
        let coordinator = try PersistentStoreCoordinator.ofItems(
            at: server.url,
            PostgreSQLStoreOptions(responseTimeoutMilliseconds: 0, postsRemoteChanges: postsRemoteChanges))
        #expect(try coordinator.confinedContext().items().count == 3)
        try server.whileFrozen { try coordinator.removePersistentStore() }
        expectError(.noStore) { try coordinator.confinedContext().items() }
    }

    @Test func aStoreThatCannotBeConnectedToIsNotAdded() throws {
        let options = PostgreSQLStoreOptions(connectTimeoutSeconds: 2)
        let error = try server.whileFrozen {
            expectError(.storeFailure) { try PersistentStoreCoordinator.ofItems(at: server.url, options) }
        }
        #expect(error?.message.contains("cannot be reached") == true, "\(error.map { "\($0)" } ?? "")")
    }

    @Test func aStoreIsNotAddedByAServerThatFreezesMeanwhile() throws {
        server.proxy.bytes.exchange(0)
        _ = try PersistentStoreCoordinator.ofItems(at: server.url)
        let half = server.proxy.bytes.value / 2
        let error = try server.whileFrozen(at: .answered(bytes: half)) {
            expectError(.timeout) { try hurrying(5_000) { try PersistentStoreCoordinator.ofItems(at: server.url) } }
        }
        #expect(error?.message.contains("said nothing") == true)
        #expect(try PersistentStoreCoordinator.ofItems(at: server.url).confinedContext().items().count == 3)
    }

    @Test func theLimitOfTheStoreHoldsForAllRequests() throws {
        let options = PostgreSQLStoreOptions(responseTimeoutMilliseconds: 4_000)
        let coordinator = try PersistentStoreCoordinator.ofItems(at: server.url, options)
        let error = try server.whileFrozen { expectError(.timeout) { try coordinator.confinedContext().items() } }
        #expect(error?.message.contains("said nothing for 4000 ms") == true)
    }
}

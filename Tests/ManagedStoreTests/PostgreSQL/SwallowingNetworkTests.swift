import Foundation
import TestSupport
import Testing

@testable import ManagedStore

#if compiler(>=6.2)
    /// A network that swallows packets: no answer arrives, and no word that none will.
    @Suite(
        .serialized,
        .enabled(if: OwnNetwork.canBeMade, "PostgreSQL, or the right to make a network, is missing"),
        .timeLimit(.minutes(5)))
    struct SwallowingNetworkTests {
        /// Tell the process with the network where the store and the server's socket are. Exit tests hand down nothing
        /// but the environment.
        private static let (url, socket) = ("SWALLOWING_NETWORK_URL", "SWALLOWING_NETWORK_SOCKET")

        /// Moves the thread, and those that it starts, to a network of their own, from which the server is reached by
        /// a port.
        ///
        /// - Returns: The URL of the store, which takes a second to notice that nothing arrives.
        private static func enterNetwork() throws -> URL {
            let environment = ProcessInfo.processInfo.environment
            let (url, socket) = (try #require(environment[url]), try #require(environment[socket]))
            try OwnNetwork.enter()
            let port = try PortInFront(ofSocketIn: socket)
            let host =
                "host=127.0.0.1&port=\(port.number)&tcp_user_timeout=1000&keepalives_idle=1&keepalives_interval=1"
            return try #require(URL(string: url.replacing("host=\(socket)", with: host)))
        }

        private static func saveWhileNothingArrives() throws {
            let coordinator = try PersistentStoreCoordinator.ofItems(at: enterNetwork())
            let context = coordinator.confinedContext()
            Item("first", at: 1, in: context)
            try context.save()
            try OwnNetwork.set(isUp: false)
            Item("second", at: 2, in: context)
            expectError(.storeFailure) { try context.save() }
            try OwnNetwork.set(isUp: true)
            try context.save()
            #expect(try coordinator.confinedContext().items().map(\.name) == ["first", "second"])
        }

        private static func awaitAnswerThatIsSwallowed() throws {
            let connection = try PostgreSQLConnection(enterNetwork())
            Thread.detachNewThread {
                usleep(300_000)
                try? OwnNetwork.set(isUp: false)
            }
            expectError(.storeFailure) { _ = try connection.query("SELECT pg_sleep(30)") }
            #expect(connection.isLost)
        }

        init() throws {
            let server = try #require(PostgreSQLServer.current)
            setenv(Self.socket, server.socketFolder, 1)
            setenv(Self.url, try TestSchema.make().absoluteString, 1)
        }

        @Test func aSaveThatDoesNotArriveFailsAndCanBeRepeated() async throws {
            await #expect(processExitsWith: .success) { try SwallowingNetworkTests.saveWhileNothingArrives() }
        }

        @Test func anAnswerThatDoesNotArriveIsNotAwaitedForever() async throws {
            await #expect(processExitsWith: .success) { try SwallowingNetworkTests.awaitAnswerThatIsSwallowed() }
        }
    }
#endif

import Foundation
import Locking
import TestSupport
import Testing

@testable import ManagedStore

#if compiler(>=6.2)
    /// A process that is killed while several of its threads save to a server.
    @Suite(.serialized, .enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
    struct KilledClientTests {
        /// Tell the process to be killed where the store is, where to write what it did, and after how many saves it
        /// ends. Exit tests hand down nothing but the environment.
        private static let (url, journal, saves) = ("CLIENT_KILL_URL", "CLIENT_KILL_JOURNAL", "CLIENT_KILL_SAVES")
        private static let lanes = 3

        /// Saves until another thread kills the process.
        private static func save() throws {
            let environment = ProcessInfo.processInfo.environment
            guard let url = environment[url].flatMap(URL.init(string:)), let path = environment[journal],
                let saves = environment[saves].flatMap({ Int($0) })
            else { return }
            let file = open(path, O_WRONLY | O_APPEND | O_CREAT, 0o600)
            let coordinator = try PersistentStoreCoordinator.ofItems(at: url)
            let count = Locked(0)
            for lane in 0..<lanes {
                Thread.detachNewThread {
                    for round in (saves * 1_000)... {
                        let mark = "\(lane) \(round)"
                        write("\(mark) unknown\n", file)
                        guard (try? SaveLedger.save(mark, lane: lane, coordinator)) != nil else { exit(1) }
                        write("\(mark) saved\n", file)
                        count.withLock { $0 += 1 }
                    }
                }
            }
            while count.value < saves { usleep(UInt32.random(in: 0..<3_000)) }
            kill(getpid(), SIGKILL)
        }

        /// In one call, so that the lines of several threads do not mix.
        private static func write(_ line: String, _ file: CInt) {
            let bytes = Array(line.utf8)
            guard Foundation.write(file, bytes, bytes.count) == bytes.count else { exit(2) }
        }

        @Test func aKilledProcessLeavesEachSaveWhollyOrNotAtAll() async throws {
            let server = try #require(PostgreSQLServer.current)
            let (url, directory) = (try TestSchema.make(), try TemporaryDirectory())
            let coordinator = try PersistentStoreCoordinator.ofItems(at: url)
            try SaveLedger.makeLanes(Self.lanes, coordinator)
            let admin = try PostgreSQLConnection(server.url())
            let (ledger, journal) = (SaveLedger(), directory.file("journal"))
            let name = directory.url.lastPathComponent
            setenv(Self.url, "\(url.absoluteString)&application_name=\(name)", 1)
            setenv(Self.journal, journal.path, 1)
            for round in 1...5 {
                setenv(Self.saves, "\(round * 7)", 1)
                await #expect(processExitsWith: .signal(SIGKILL)) { try KilledClientTests.save() }
                // A commit that the server received may be under way.
                let sessions = "SELECT 1 FROM pg_stat_activity WHERE application_name = '\(name)'"
                while try admin.query(sessions).count > 0 { try await Task.sleep(for: .milliseconds(5)) }
                for line in try String(contentsOf: journal, encoding: .utf8).split(separator: "\n") {
                    let words = line.split(separator: " ")
                    ledger.note("\(words[0]) \(words[1])", try #require(.init(rawValue: String(words[2]))))
                }
                try ledger.check(lanes: Self.lanes, coordinator)
            }
            #expect(ledger.saved > 0)
        }
    }
#endif

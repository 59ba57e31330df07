import BenchHarness
import Foundation
import TestSupport
import Testing

@testable import BenchDrivers

@Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
struct ServerMeetingPlaceTests {
    private let address: URL
    private let run = UUID().uuidString
    private let place: ServerMeetingPlace

    init() throws {
        address = try #require(PostgreSQLServer.current).url()
        place = try Self.place(run, address)
    }

    private static func place(_ run: String, _ address: URL) throws -> ServerMeetingPlace {
        let place = try ServerMeetingPlace(run: run, at: address)
        try place.prepare()
        return place
    }

    @Test func aMessageIsLeftOnceAndWhole() throws {
        #expect(try place.read(["a"]).isEmpty)
        let content = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0) })
        #expect(try place.leave("a", content))
        #expect(try !place.leave("a", Data("2".utf8)))
        #expect(try place.read(["a", "b"]) == ["a": content])
        try place.replace("a", Data())
        try place.replace("b", Data("4".utf8))
        #expect(try place.read(["a", "b", "c"]) == ["a": Data(), "b": Data("4".utf8)])
        #expect(try place.read([]).isEmpty)
    }

    @Test func aRunDoesNotSeeTheMessagesOfAnother() throws {
        #expect(try place.leave("a", Data("1".utf8)))
        let other = try Self.place(run + "x", address)
        #expect(try other.read(["a"]).isEmpty)
        #expect(try other.leave("a", Data("2".utf8)))
        #expect(try place.read(["a"]) == ["a": Data("1".utf8)])
    }

    @Test func whatTellsThatThePlaceWasUsedStays() throws {
        for message in ["run-arrival-0", "run_arrival-1", "alive-0"] { _ = try place.leave(message, Data()) }
        try place.forget(exceptFor: "run-arrival-")
        #expect(try Set(place.read(["run-arrival-0", "run_arrival-1", "alive-0"]).keys) == ["run-arrival-0"])
    }

    @Test func messagesOfRunsLongAgoAreRemoved() throws {
        _ = try place.leave("a", Data())
        _ = try place.leave("b", Data())
        let age = "UPDATE bench_meeting.messages SET left_at = now() - interval '8 days' WHERE run = '\(run)'"
        let connection = try ServerConnection(address)
        try connection.execute(age + " AND name = 'a'")
        _ = try Self.place(run + "x", address)
        #expect(try place.read(["a", "b"]).count == 2)
        try connection.execute(age)
        _ = try Self.place(run + "y", address)
        #expect(try place.read(["a", "b"]).isEmpty)
    }

    @Test func processesThatCreateTheTableAtTheSameTimeDoNotFail() async throws {
        let server = try PostgreSQLServer()
        let address = server.url()
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<8 {
                group.addTask {
                    try Self.place("a", address).leave("\(number % 4)", Data())
                }
            }
            var left = 0
            for try await isLeft in group where isLeft { left += 1 }
            #expect(left == 4)
        }
        withExtendedLifetime(server) {}
    }

    @Test func theClockIsThatOfTheServer() throws {
        let shard = try #require(Shard(index: 0, count: 2))
        let (before, time, later) = (Date(), try place.now(for: shard), try place.now(for: shard))
        // The server is on this machine.
        #expect(abs(Double(time) / 1e9 - before.timeIntervalSince1970) < 600)
        #expect(later >= time)
    }

    @Test func aConnectionThatWasLostIsOpenedAgain() throws {
        let server = try PostgreSQLServer()
        let place = try Self.place("a", server.url())
        _ = try place.leave("a", Data("1".utf8))
        try server.restart(.fast)
        let error = #expect(throws: DriverError.self) { try place.read(["a"]) }
        #expect(error?.code == .unreachable)
        #expect(try place.read(["a"]) == ["a": Data("1".utf8)])
        withExtendedLifetime(server) {}
    }
}

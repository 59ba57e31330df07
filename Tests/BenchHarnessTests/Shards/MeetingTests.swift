import Foundation
import Locking
import TestSupport
import Testing

@testable import BenchHarness

@Suite struct MeetingTests {
    private let directory: TemporaryDirectory
    private let place: FolderMeetingPlace

    init() throws {
        directory = try TemporaryDirectory()
        place = try FolderMeetingPlace(directory.url)
    }

    private func meeting(_ index: Int, of count: Int = 2, silence: Double = 60) throws -> Meeting {
        Meeting(
            place: place, shard: try #require(Shard(index: index, count: count)), arrivalSeconds: silence,
            silenceSeconds: silence)
    }

    @Test func aMessageIsLeftOnceAndWhole() throws {
        #expect(try place.read(["a"]).isEmpty)
        #expect(try place.leave("a", Data("1".utf8)))
        #expect(try !place.leave("a", Data("2".utf8)))
        #expect(try place.read(["a", "b"]) == ["a": Data("1".utf8)])
        try place.replace("a", Data("3".utf8))
        #expect(try place.read(["a"]) == ["a": Data("3".utf8)])
        #expect(try directory.names() == ["a"])
    }

    /// The other shard has a thread of its own: tasks share as many threads as there are cores, with all other tests.
    @Test func whatIsAwaitedArrives() throws {
        let other = try meeting(1)
        Thread {
            usleep(30_000)
            try? other.leave("r-x-1", 7)
        }.start()
        #expect(try meeting(0).await("x", in: "r", as: Int.self) == [1: 7])
    }

    @Test func aShardThatIsStartedTwiceIsRefused() throws {
        try meeting(1).leave("r-x-1", 7)
        let error = #expect(throws: RunError.self) { try meeting(1).leave("r-x-1", 7) }
        #expect(error?.description.contains("shard 1/2 was started twice") == true)
    }

    @Test func aShardThatFailsIsNotAwaited() throws {
        try meeting(1).fail("the disk is full", in: "r")
        let error = #expect(throws: RunError.self) { try meeting(0).await("x", in: "r", as: Int.self) }
        #expect(error?.description == "shard 1 failed: the disk is full")
    }

    /// The first shard alone writes the results of all.
    @Test func whatGoesWrongInAShardFailsTheLoadForAll() throws {
        let rounds = try (0..<2).map { LoadRound(meeting: try meeting($0), name: "r") }
        let judged = Locked<[String]?>(nil)
        let isJudged = DispatchSemaphore(value: 0)
        Thread {
            let found = try? Self.judge(rounds[1])
            judged.withLock { $0 = found }
            isJudged.signal()
        }.start()
        let expected = ["shard 1: 3 operations failed", "a save was lost"]
        #expect(try Self.judge(rounds[0]) == expected)
        isJudged.wait()
        #expect(judged.value == expected)
    }

    private static func judge(_ round: LoadRound) throws -> [String] {
        let start = LoadRound.Start(clock: MeetingClock(offset: 0, uncertainty: 0), time: 0)
        let own = round.isFirst ? [] : ["3 operations failed"]
        return try round.judge([], TraceSampling(salt: 1), start, begun: 0, own, MonotonicClock()) { _, _, _, _ in
            ["a save was lost"]
        }
    }

    @Test func aShardThatShowsNoSignOfLifeIsLost() throws {
        try meeting(1, of: 3).showSign(4)
        try meeting(2, of: 3).leave("r-x-2", 7)
        let error = #expect(throws: RunError.self) {
            try meeting(0, of: 3, silence: 0.1).await("x", in: "r", as: Int.self)
        }
        #expect(error?.description == "shard 1 is lost: no sign of life for 0 s; the load has no result")
    }

    @Test func whatTheOthersLeaveIsGatheredAndTheLostAreNamed() throws {
        try meeting(1, of: 4).showSign(4)
        try meeting(2, of: 4).leave("r-x-2", 7)
        try meeting(3, of: 4).fail("the disk is full", in: "r")
        let gathered = try meeting(0, of: 4, silence: 0.1).gather("x", in: "r") {
            try JSONDecoder().decode(Int.self, from: $0)
        }
        #expect(gathered.values == [2: 7])
        #expect(
            gathered.losses == [1: "shard 1 is lost: no sign of life for 0 s", 3: "shard 3 failed: the disk is full"])
        // The next one need not wait.
        let again = try meeting(2, of: 4).gather("y", in: "s", of: [1]) { $0 }
        #expect(again.losses == [1: "shard 1 is lost: no sign of life for 0 s"])
    }

    @Test func aShardThatIsLostIsLostForAllInEveryRound() throws {
        _ = try? meeting(0, of: 3, silence: 0.1).await("x", in: "r", of: [1], as: Int.self)
        try meeting(0, of: 3).fail("shard 1 is lost", in: "s")
        let error = #expect(throws: RunError.self) { try meeting(2, of: 3).await("y", in: "s", as: Int.self) }
        #expect(error?.description == "shard 1 is lost: no sign of life for 0 s; the load has no result")
    }

    @Test func aShardWithMessagesOfAnotherVersionIsNamedWithBothVersions() throws {
        _ = try place.leave("r-x-1", Data(#"{"version": 7, "other": "fields"}"#.utf8))
        let error = #expect(throws: RunError.self) { try meeting(0).await("x", in: "r", as: ShardArrival.self) }
        #expect(
            error?.description.hasSuffix(
                "shard 1: its messages are of version 7, and those of this bench of version \(ShardArrival.version); "
                    + "start all shards with the same bench") == true)
    }

    @Test(arguments: [
        ("no JSON at all", "no JSON"), (#"{"version": "one"}"#, "version: a value of another kind"),
        ("{}", "the key \"version\" is missing"),
    ])
    func aMessageThatCannotBeReadIsNamedWithTheCause(_ text: String, _ cause: String) throws {
        _ = try place.leave("r-x-1", Data(text.utf8))
        let error = #expect(throws: RunError.self) { try meeting(0).await("x", in: "r", as: ShardArrival.self) }
        #expect(error?.description.contains("the message r-x-1 cannot be read: \(cause); give each") == true)
    }

    @Test func whatAShardSaysOfItselfIsReadBack() throws {
        let arrival = ShardArrival(
            token: "t", shard: .whole, scenario: FakeDriver.scenario, drivers: ["a"], phases: ["p"],
            stores: "/s")
        let read = try JSONDecoder().decode(ShardArrival.self, from: JSONEncoder().encode(arrival))
        #expect(read.difference(arrival) == nil && read.token == "t" && read.stores == "/s")
    }

    @Test func aShardThatDoesNotComeIsMissing() throws {
        let error = #expect(throws: RunError.self) {
            try meeting(0, of: 3, silence: 0.1).await("x", in: "r", areArrived: false, as: Int.self)
        }
        #expect(error?.description.hasPrefix("shards 1, 2 are missing after 0 s; start all 3 shards") == true)
    }

    @Test func aMissingFolderIsNamed() {
        let error = #expect(throws: RunError.self) { try FolderMeetingPlace(directory.file("none")) }
        #expect(error?.description.contains("there is no such folder to meet in") == true)
    }

    /// A process whose clock is an hour off.
    private struct SkewedClock: NanosecondClock {
        func now() -> Int { MonotonicClock().now() + 3_600_000_000_000 }
    }

    @Test func aSkewedClockIsComparedWithThatOfThePlace() throws {
        let shard = try #require(Shard(index: 0, count: 1))
        let (own, skewed) = (MonotonicClock(), SkewedClock())
        let first = try MeetingClock.compare(place, shard, own)
        let second = try MeetingClock.compare(place, shard, skewed)
        let difference = first.there(own.now()) - second.there(skewed.now())
        // The clocks are read one after the other.
        #expect(abs(difference) <= first.uncertainty + second.uncertainty + 1_000_000_000)
        #expect(second.here(second.there(5)) == 5)
    }

    @Test func aPlaceWhoseClockDiffersBetweenShardsIsNamed() throws {
        let (meeting, now) = (try meeting(0), 1_790_000_000_000_000_000)
        try meeting.check([1: now + 900_000_000, 2: now - 3_600_000_000_000], notAfter: now)
        let error = #expect(throws: RunError.self) { try meeting.check([3: now + 3_600_000_000_000], notAfter: now) }
        let text = "shard 3 reads a clock there that is 3600.00 s ahead of the one that shard 0 reads; let all"
        #expect(error?.description.contains(text) == true)
    }

    @Test func aDriftOfTheClocksIsUncertain() {
        let (before, after) = (MeetingClock(offset: 100, uncertainty: 7), MeetingClock(offset: 40, uncertainty: 9))
        #expect(MeetingClock.between(before, after) == MeetingClock(offset: 70, uncertainty: 39))
    }
}

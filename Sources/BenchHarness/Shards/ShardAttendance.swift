import Foundation
import Locking

/// A shard at the meeting place, from its arrival until it leaves. Meanwhile the others see that it lives.
final class ShardAttendance: Sendable {
    let meeting: Meeting
    private let isOver = Locked(false)

    /// What the names of arrivals begin with.
    static let arrival = "\(round)-arrival-"
    /// The name of what belongs to no load.
    static let round = "run"

    private let wasCutOff: Locked<Bool>

    /// - Parameters:
    ///   - drivers: The drivers of the load, whose server may be the place to meet.
    ///   - outlivesServer: Whether a server that goes away is no end of the load. Messages on it may be lost then.
    ///   - isInterrupted: Whether the process is to stop.
    init(
        _ request: SharedRunRequest, drivers: [any StoreDriver], outlivesServer: Bool = false,
        isInterrupted: @escaping @Sendable () -> Bool
    ) throws {
        let wasCutOff = Locked(false)
        self.wasCutOff = wasCutOff
        let isOnServer = if case .server = request.meeting { true } else { false }
        meeting = Meeting(
            place: try request.meeting.place(of: drivers), shard: request.shard,
            arrivalSeconds: request.arrivalSeconds, silenceSeconds: request.silenceSeconds,
            stopReason: {
                if isInterrupted() { return "stopped while waiting for other shards" }
                guard outlivesServer, isOnServer, wasCutOff.value else { return nil }
                return "the server went away, and the messages of the shards with it; let them meet in a folder"
            })
    }

    var isFirst: Bool { meeting.shard.index == 0 }

    /// Waits for all shards, and checks that they mean the same load.
    ///
    /// - Returns: What the first shard said.
    func arrive(_ arrival: ShardArrival) throws -> ShardArrival {
        try meeting.place.prepare()
        meeting.showSign(0)
        var own = arrival
        own.time = try meeting.place.now(for: meeting.shard)
        try meeting.leave("\(Self.arrival)\(meeting.shard.index)", own)
        showSigns()
        var all = try meeting.await("arrival", in: Self.round, areArrived: false, as: ShardArrival.self)
        try meeting.check(all.mapValues(\.time), notAfter: meeting.place.now(for: meeting.shard))
        all[meeting.shard.index] = own
        guard let first = all[0] else { return own }
        for (index, other) in all.sorted(by: { $0.key < $1.key }) {
            guard let difference = first.difference(other) else { continue }
            throw RunError(
                .meeting,
                "shards 0 and \(index) mean different loads: \(difference); start all with the same scenario and options"
            )
        }
        return first
    }

    private func showSigns() {
        Thread.detachNewThread { [meeting, isOver, wasCutOff] in
            for number in 1... where !isOver.value {
                if !meeting.showSign(number) { wasCutOff.exchange(true) }
                Thread.sleep(forTimeInterval: Meeting.signSeconds)
                if isOver.value { return }
            }
        }
    }

    /// Tells the others that the shard has gone.
    func leave(_ reason: String) { meeting.depart(reason) }

    func end() { isOver.exchange(true) }
}

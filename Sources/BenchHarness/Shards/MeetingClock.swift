/// How the clock of a meeting place compares with that of a process.
struct MeetingClock: Sendable, Codable, Equatable {
    /// What the place's clock shows more, in nanoseconds.
    var offset: Int
    /// How far the offset may be off.
    var uncertainty: Int

    /// The round trips of a comparison: the fastest one says the most.
    private static let trips = 5

    /// Compares the clocks by round trips. The place's clock is read somewhere between the start and the end of a trip,
    /// so half of the trip is uncertain.
    static func compare(_ place: any MeetingPlace, _ shard: Shard, _ clock: any NanosecondClock) throws -> MeetingClock
    {
        try (0..<trips).map { _ in
            let start = clock.now()
            let there = try place.now(for: shard)
            let end = clock.now()
            return MeetingClock(
                offset: there - start - (end - start) / 2, uncertainty: (end - start) / 2 + place.clockResolution)
        }.min { $0.uncertainty < $1.uncertainty } ?? MeetingClock(offset: 0, uncertainty: .max)
    }

    /// Returns what holds for all times between two comparisons, if the clocks drift steadily.
    static func between(_ before: MeetingClock, _ after: MeetingClock) -> MeetingClock {
        let (low, high) = (min(before.offset, after.offset), max(before.offset, after.offset))
        return MeetingClock(
            offset: low + (high - low) / 2,
            uncertainty: max(before.uncertainty, after.uncertainty) + (high - low + 1) / 2)
    }

    /// Returns the place's time of a time of the process.
    func there(_ time: Int) -> Int { time + offset }
    /// Returns the process's time of a time of the place.
    func here(_ time: Int) -> Int { time - offset }
}

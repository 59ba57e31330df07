/// What a shard hands over after its part of a load, so that one audit can judge all of it.
struct LoadDelivery: Sendable {
    var ledgers: [Ledger]
    var traces: [LoadTrace]
    var clock: MeetingClock
    /// The bits of ``TraceSampling/mask``.
    var mask: UInt64
    /// How much later than agreed the load began here, in nanoseconds.
    var lateStart: Int
    /// What went wrong with the shard's own part of the load.
    var problems: [String] = []

    /// Returns the ledgers and traces by the clock of the meeting place. Each write and read may have been earlier or
    /// later than that by what is not known of the clock, so it gets as much longer.
    var onCommonClock: (ledgers: [Ledger], traces: [LoadTrace]) {
        let shift = ClockShift(offset: clock.offset, uncertainty: clock.uncertainty)
        return (ledgers.map { $0.shifted(shift) }, traces.map { $0.shifted(shift) })
    }
}

/// Moves the start and the end of an interval to another clock.
struct ClockShift {
    var offset: Int
    var uncertainty: Int

    func start(_ time: Int) -> Int { time + offset - uncertainty }
    func end(_ time: Int) -> Int { time + offset + uncertainty }
}

extension Ledger {
    /// Returns the ledger with other times.
    func shifted(_ shift: ClockShift) -> Ledger {
        var shifted = self
        for (ordinal, entry) in entries {
            var entry = entry
            entry.writes = entry.writes.mapValues { $0.map { $0.shifted(shift) } }
            entry.history = entry.history.map { Change(attributes: $0.attributes, write: $0.write.shifted(shift)) }
            shifted.settle(ordinal, entry)
        }
        return shifted
    }
}

extension Ledger.Write {
    fileprivate func shifted(_ shift: ClockShift) -> Self {
        var shifted = self
        (shifted.start, shifted.end) = (shift.start(start), shift.end(end))
        return shifted
    }
}

extension LoadTrace.Span {
    func shifted(_ shift: ClockShift) -> Self {
        LoadTrace.Span(start: shift.start(start), end: shift.end(end), isAcknowledged: isAcknowledged)
    }
}

/// The changes of one record to attributes whose values repeat: it tells which of them may have left the record as it
/// was.
///
/// A save that gives each attribute the value that it already has may or may not count as a change (see
/// <doc:WritingADriver>). The order of saves that overlap in time is unknown, so the history decides what may have
/// happened, not what has.
struct ChangeHistory {
    /// The value of an attribute after a revision; nil is the value at insertion.
    typealias Value = (_ attribute: Int, _ revision: UInt64?) -> FieldValue

    /// The changes by their starts, and writes to single attributes that an earlier audit found.
    private let changes: [Ledger.Change]
    /// The latest end of each change and all before it.
    private let latestEnds: [Int]
    private let repeating: Set<Int>
    /// Whether a save may bring back a value that others had replaced, as one of a whole record does.
    private let bringsBack: Bool
    private let value: Value

    init(_ entry: Ledger.Entry, repeating: Set<Int>, bringsBack: Bool, value: @escaping Value) {
        let known = Set(entry.history.map(\.write.revision))
        let found = entry.writes.filter { repeating.contains($0.key) }.flatMap { attribute, writes in
            writes.filter { !known.contains($0.revision) }.map { Ledger.Change(attributes: [attribute], write: $0) }
        }
        var latest = Int.min
        changes = (entry.history + found).sorted { $0.write.start < $1.write.start }
        latestEnds = changes.map { change in
            latest = max(latest, change.write.end)
            return latest
        }
        self.repeating = repeating
        self.bringsBack = bringsBack
        self.value = value
    }

    /// Returns how many of these changes of the history may have left the record as it was.
    func idleCount(of counted: [Ledger.Change]) -> Int {
        let revisions = Set(counted.map(\.write.revision))
        return changes.indices.count { revisions.contains(changes[$0].write.revision) && mayBeIdle($0) }
    }

    private func mayBeIdle(_ index: Int) -> Bool {
        let change = changes[index]
        return change.attributes.allSatisfy { attribute in
            guard repeating.contains(attribute) else { return false }
            return bringsBack || mayHold(value(attribute, change.write.revision), attribute, before: index)
        }
    }

    /// Whether an attribute may have had a value when a change was saved.
    private func mayHold(_ wanted: FieldValue, _ attribute: Int, before index: Int) -> Bool {
        let own = changes[index].write
        for other in changes[(index + 1)...].prefix(while: { $0.write.start <= own.end })
        where other.attributes.contains(attribute) && value(attribute, other.write.revision) == wanted { return true }
        // The latest start among the acknowledged writes that were certainly over: those before it are replaced.
        var replaced = Int.min
        for position in (0..<index).reversed() {
            if latestEnds[position] < replaced { break }
            let (other, write) = (changes[position], changes[position].write)
            guard other.attributes.contains(attribute), write.end >= replaced else { continue }
            if value(attribute, write.revision) == wanted { return true }
            if write.isAcknowledged, write.end < own.start { replaced = max(replaced, write.start) }
        }
        return replaced == .min && value(attribute, nil) == wanted
    }
}

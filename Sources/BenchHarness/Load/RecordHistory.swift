/// The changes of one record by all workers of a load: it tells which versions and values the record may have had at a
/// time.
///
/// The order of changes that overlap in time is unknown, so the history decides what may have been, not what was.
struct RecordHistory {
    /// By their starts.
    private let changes: [LoadTrace.Change]
    /// The attributes that some change sets.
    private let changed: Set<Int>
    private let starts: [Int]
    /// In order.
    private let ends: [Int]
    /// The ends, in order, of the changes that the version counts for certain.
    private let countedEnds: [Int]
    /// The latest end of each change and all before it.
    private let latestEnds: [Int]
    /// Whether a later change replaces the values of an earlier one for certain.
    private let replaces: Bool
    /// Whether the version counts every change, so that it tells how many of them the values show.
    private let isExact: Bool

    /// - Parameter repeating: The attributes of which two changes may draw the same value. A change of only these may
    ///   find nothing to write.
    init(_ changes: [LoadTrace.Change] = [], repeating: Set<Int> = [], policy: ConflictPolicy = .error) {
        // An operation in doubt may take effect at any time after its start.
        let changes = changes.map(\.settledOrOpen).sorted { $0.span.start < $1.span.start }
        self.changes = changes
        changed = Set(changes.flatMap(\.attributes))
        starts = changes.map(\.span.start)
        ends = changes.map(\.span.end).sorted()
        let counted = changes.filter { $0.span.isAcknowledged && !$0.attributes.allSatisfy(repeating.contains) }
        replaces = policy == .error || policy == .objectTrump
        isExact = replaces && counted.count == changes.count
        countedEnds = policy == .storeTrump ? [] : counted.map(\.span.end).sorted()
        var latest = Int.min
        latestEnds = changes.map { change in
            latest = max(latest, change.span.end)
            return latest
        }
    }

    /// Whether the change of a revision gives the record other values for certain.
    func changesForCertain(_ revision: UInt64, repeating: Set<Int>) -> Bool {
        changes.contains { $0.revision == revision && !$0.attributes.allSatisfy(repeating.contains) }
    }

    /// Returns the versions that a read in an interval may find: at least that of the last save acknowledged before,
    /// at most that of the newest one begun until its end.
    ///
    /// - Parameter own: The revision that the reading operation itself gives the record, later.
    func versions(in span: LoadTrace.Span, own: UInt64? = nil) -> ClosedRange<Int> {
        let least = 1 + countedEnds.count(before: span.start)
        let begun = starts.count(before: span.end) - (own == nil ? 0 : 1)
        return least...max(1 + begun, least)
    }

    /// Returns the revisions that may have set an attribute to the value which a read in an interval finds; nil is the
    /// value before any change.
    ///
    /// - Parameter version: The version that the read found; nil leaves out what it tells.
    func revisions(
        of attribute: Int, in span: LoadTrace.Span, version: Int?, own: UInt64? = nil
    ) -> [UInt64?] {
        guard changed.contains(attribute) else { return [nil] }
        let position = isExact ? version.map { $0 - 1 } : nil
        var revisions: [UInt64?] = []
        // The latest start among the changes that are in the store for certain: those that ended before are replaced.
        var replaced = Int.min
        for index in (0..<starts.count(before: span.end)).reversed() {
            if latestEnds[index] < replaced { break }
            let change = changes[index]
            guard change.attributes.contains(attribute), change.revision != own, change.span.end >= replaced else {
                continue
            }
            // A change that at least `position` others precede is not in this version.
            if let position, ends.count(before: change.span.start) >= position { continue }
            revisions.append(change.revision)
            if replaces, isDone(change, before: span.start, position) { replaced = max(replaced, change.span.start) }
        }
        return replaced == .min ? revisions + [nil] : revisions
    }

    /// Whether a change is certainly among those that a read finds.
    private func isDone(_ change: LoadTrace.Change, before start: Int, _ position: Int?) -> Bool {
        guard change.span.isAcknowledged else { return false }
        if change.span.end < start { return true }
        return position.map { starts.count(before: change.span.end) <= $0 } ?? false
    }
}

extension LoadTrace.Change {
    fileprivate var settledOrOpen: Self {
        var change = self
        if !span.isAcknowledged { change.span.end = .max }
        return change
    }
}

extension [Int] {
    /// Returns the number of elements less than `value`, of an array in order.
    fileprivate func count(before value: Int) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < value { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

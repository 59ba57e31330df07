/// The phases whose filters let no record through, or every one: their times are those of other work than a search for
/// some.
package struct IdleFilters: Sendable {
    private let rows: [ResultRow]

    package init(_ rows: [ResultRow]) {
        self.rows = rows.filter(\.isEvidence)
    }

    /// What is to be known of them, in sentences without their full stops.
    package var sentences: [String] {
        [(FilterReach.noRecord, "no record"), (.everyRecord, "every record")].compactMap { reach, records in
            let phases = rows.filter { $0.filterReach == reach }.map(\.phase).withoutRepeats
            if phases.isEmpty { return nil }
            return phases.count == 1
                ? "the filter of \(phases[0]) matches \(records)"
                : "the filters of \(phases.asList) match \(records)"
        }
    }
}

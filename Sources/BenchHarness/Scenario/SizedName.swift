/// The name in results of a phase that runs at several sizes of the store: `fetch-sync@10000`.
///
/// No scenario can name a phase like this, because names there cannot include `@`.
struct SizedName: Sendable, Hashable, CustomStringConvertible {
    /// The name of the phase in the scenario.
    let phase: String
    /// The number of records; nil for a phase that runs at one size only.
    let records: Int?

    init(phase: String, records: Int) {
        self.phase = phase
        self.records = records
    }

    /// Parses a name; one without a number at its end is a phase of one size.
    init(_ name: String) {
        let parts = name.split(separator: "@", omittingEmptySubsequences: false)
        if parts.count == 2, !parts[0].isEmpty, let records = Int(parts[1]), records > 0, String(records) == parts[1] {
            (phase, self.records) = (String(parts[0]), records)
        } else {
            (phase, records) = (name, nil)
        }
    }

    var description: String { records.map { "\(phase)@\($0)" } ?? phase }
}

extension Sequence {
    /// Returns the elements with the sizes of each phase in sequence, the smallest first, at the place of the first
    /// one: a run shuffles them. Everything else keeps its order.
    func bySize(_ key: (Element) -> PhaseKey) -> [Element] {
        let all = enumerated().map { index, element -> (index: Int, element: Element, group: PhaseKey, records: Int) in
            var group = key(element)
            let name = SizedName(group.phase)
            group.phase = name.phase
            return (index, element, group, name.records ?? 0)
        }
        let sized = all.filter { $0.records > 0 }
        let first = Dictionary(sized.map { ($0.group, $0.index) }) { first, _ in first }
        return all.map { (place: $0.records > 0 ? first[$0.group] ?? $0.index : $0.index, item: $0) }
            .sorted { ($0.place, $0.item.records, $0.item.index) < ($1.place, $1.item.records, $1.item.index) }
            .map(\.item.element)
    }
}

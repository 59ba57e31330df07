/// The name in results of a phase that runs at several sizes of the store, such as `fetch-sync@10000`, or of one whose
/// turns use all cores, such as `merge@all-cores`.
///
/// No scenario can name a phase like this, because names there cannot include `@`.
struct SizedName: Sendable, Hashable, CustomStringConvertible {
    /// The name of the phase in the scenario.
    let phase: String
    /// The number of records; nil for a phase that runs at one size only.
    let records: Int?
    /// Whether the figures are those of turns that use all cores.
    let isOnAllCores: Bool

    private static let allCores = "all-cores"

    init(phase: String, records: Int) {
        self.phase = phase
        self.records = records
        isOnAllCores = false
    }

    /// The name for turns that use all cores.
    init(onAllCores phase: String) {
        self.phase = phase
        records = nil
        isOnAllCores = true
    }

    /// Parses a name; one without a mark at its end is a phase of one size on one core.
    init(_ name: String) {
        let parts = name.split(separator: "@", omittingEmptySubsequences: false)
        if parts.count == 2, !parts[0].isEmpty, let records = Int(parts[1]), records > 0, String(records) == parts[1] {
            (phase, self.records, isOnAllCores) = (String(parts[0]), records, false)
        } else if parts.count == 2, !parts[0].isEmpty, parts[1] == Self.allCores {
            (phase, records, isOnAllCores) = (String(parts[0]), nil, true)
        } else {
            (phase, records, isOnAllCores) = (name, nil, false)
        }
    }

    var description: String {
        if isOnAllCores { return "\(phase)@\(Self.allCores)" }
        return records.map { "\(phase)@\($0)" } ?? phase
    }
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

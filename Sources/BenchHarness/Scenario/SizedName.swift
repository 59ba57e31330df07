/// The name in results of a phase that runs in several variants or at several sizes of the store, such as
/// `update@chunk_records=100` and `fetch-sync@10000`, or of one whose turns use all cores, such as `merge@all-cores`.
///
/// No scenario can name a phase like this, because names there cannot include `@`.
struct SizedName: Sendable, Hashable, CustomStringConvertible {
    /// A number that tells a variant from others.
    struct Mark: Sendable, Hashable, CustomStringConvertible {
        /// The key of the number in the scenario, with as much of its path as needed.
        let key: String
        let value: String

        var number: Double { Double(value) ?? 0 }
        var description: String { "\(key)=\(value)" }
    }

    /// The name of the phase in the scenario.
    let phase: String
    /// The numbers that the scenario has lists of; empty for a phase that depends on no list.
    let marks: [Mark]
    /// The number of records; nil for a phase that runs at one size only.
    var records: Int?
    /// Whether the figures are those of turns that use all cores.
    private(set) var isOnAllCores = false

    private static let allCores = "all-cores"

    init(phase: String, records: Int) {
        self.init(phase)
        self.records = records
    }

    init(phase: String, marks: [Mark]) {
        (self.phase, self.marks) = (phase, marks)
    }

    /// The name for turns that use all cores.
    init(onAllCores phase: String) {
        self.init(phase)
        isOnAllCores = true
    }

    /// Parses a name; one without a mark at its end is a phase of one variant and one size on one core.
    init(_ name: String) {
        var parts = name.split(separator: "@", omittingEmptySubsequences: false)[...]
        let phase = String(parts.removeFirst())
        if parts.last == Self.allCores[...] {
            parts.removeLast()
            isOnAllCores = true
        } else if let last = parts.last, let number = Int(last), number > 0, String(number) == last {
            parts.removeLast()
            records = number
        }
        let marks = parts.popFirst().map(Self.marks) ?? []
        if let marks, parts.isEmpty, !phase.isEmpty {
            (self.phase, self.marks) = (phase, marks)
        } else {
            (self.phase, self.marks, records, isOnAllCores) = (name, [], nil, false)
        }
    }

    /// Parses `chunk_records=100,writers=2`; nil for other text.
    private static func marks(_ text: Substring) -> [Mark]? {
        let marks = text.split(separator: ",", omittingEmptySubsequences: false).map { mark -> Mark? in
            let parts = mark.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, !parts[0].isEmpty, Double(parts[1])?.isFinite == true else { return nil }
            return Mark(key: parts[0], value: parts[1])
        }
        return marks.contains(nil) ? nil : marks.compactMap(\.self)
    }

    /// The name without the number of records and the cores: that of the phase in one variant of the scenario.
    var variant: String { SizedName(phase: phase, marks: marks).description }

    /// The name for turns on one core.
    var onOneCore: SizedName {
        var name = self
        name.isOnAllCores = false
        return name
    }

    /// The name without the number of records.
    var sizeless: SizedName {
        var name = self
        name.records = nil
        return name
    }

    var description: String {
        let marks = marks.isEmpty ? "" : "@" + marks.map(\.description).joined(separator: ",")
        if isOnAllCores { return "\(phase)\(marks)@\(Self.allCores)" }
        return phase + marks + (records.map { "@\($0)" } ?? "")
    }
}

extension Sequence {
    /// Returns the elements with the variants and sizes of each phase in sequence, the smallest first, at the place of
    /// the first one: a run shuffles them. Everything else keeps its order.
    package func bySize(_ key: (Element) -> PhaseKey) -> [Element] {
        let all = enumerated().map {
            index, element -> (index: Int, element: Element, group: PhaseKey, size: [Double]) in
            var group = key(element)
            let name = SizedName(group.phase)
            group.phase = name.phase
            return (index, element, group, name.marks.map(\.number) + (name.records.map { [Double($0)] } ?? []))
        }
        let sized = all.filter { !$0.size.isEmpty }
        let first = Dictionary(sized.map { ($0.group, $0.index) }) { first, _ in first }
        let placed = all.map { (place: $0.size.isEmpty ? $0.index : first[$0.group] ?? $0.index, item: $0) }
        return placed.sorted { one, other in
            if one.place != other.place { return one.place < other.place }
            if one.item.size == other.item.size { return one.item.index < other.item.index }
            return one.item.size.lexicographicallyPrecedes(other.item.size)
        }.map(\.item.element)
    }
}

extension Sequence where Element: Hashable {
    /// The distinct elements, in the order in which each first occurs.
    package var withoutRepeats: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}

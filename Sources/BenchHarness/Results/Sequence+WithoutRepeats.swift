extension Sequence where Element: Hashable {
    /// The elements in the order in which each first occurs.
    var withoutRepeats: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}

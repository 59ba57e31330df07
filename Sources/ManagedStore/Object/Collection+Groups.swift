extension Collection {
    /// Returns the elements in groups of those with the same key. Mostly all have the same, and none is hashed then.
    func groups(by key: (Element) -> Int) -> [(key: Int, elements: [Element])] {
        guard let first = first.map(key) else { return [] }
        if allSatisfy({ key($0) == first }) { return [(first, Array(self))] }
        return Dictionary(grouping: self, by: key).map { ($0.key, $0.value) }
    }
}

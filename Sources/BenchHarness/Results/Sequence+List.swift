extension Sequence<String> {
    /// The names as a list in a sentence: `a, b and c`.
    var asList: String {
        let names = Array(self)
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " and " + last
    }
}

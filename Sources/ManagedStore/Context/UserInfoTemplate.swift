/// Makes the `userInfo` of notifications that have the same keys. A copy of a dictionary keeps its keys where they are,
/// so that none of them is hashed or compared again.
struct UserInfoTemplate: @unchecked Sendable {
    // Unchecked: until it is filled, the dictionary holds only strings and empty tuples.
    private let template: [AnyHashable: Any]
    private let places: [Dictionary<AnyHashable, Any>.Index]

    init(_ keys: [String]) {
        let template = Dictionary<AnyHashable, Any>(uniqueKeysWithValues: keys.map { ($0, ()) })
        places = keys.compactMap { template.index(forKey: $0) }
        self.template = template
    }

    /// Returns the dictionary with `values`, which are in the order of the keys.
    func filled(_ values: [Any]) -> [AnyHashable: Any] {
        var userInfo = template
        for (place, value) in zip(places, values) { userInfo.values[place] = value }
        return userInfo
    }
}

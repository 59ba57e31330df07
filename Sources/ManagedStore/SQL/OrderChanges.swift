/// The new numbers of the members of one ordered relationship, in the order of the members' keys.
struct OrderChanges {
    /// The number of a member in the list of an owner.
    struct Place {
        let member: Int64
        let owner: Int64
        let number: Int64

        func isBefore(_ other: Place) -> Bool { (member, owner) < (other.member, other.owner) }
        func isSame(as other: Place) -> Bool { (member, owner) == (other.member, other.owner) }
    }

    let relationship: ResolvedRelationship
    /// Each member of an owner once.
    private(set) var places: [Place] = []

    /// Returns the changes of a save by relationship.
    static func all(_ orders: [OrderChange], _ keys: PermanentKeys) -> [OrderChanges] {
        if orders.isEmpty { return [] }
        return orders.groups { Int(bitPattern: Unmanaged.passUnretained($0.relationship).toOpaque()) }
            .map { OrderChanges($0.elements[0].relationship, $0.elements, keys) }
            .sorted {
                ($0.relationship.entity, $0.relationship.position) < ($1.relationship.entity, $1.relationship.position)
            }
    }

    /// Takes out the places of members with some keys, and returns them.
    mutating func removePlaces(_ isTaken: (_ member: Int64) -> Bool) -> [Place] {
        let taken = places.filter { isTaken($0.member) }
        if !taken.isEmpty { places.removeAll { isTaken($0.member) } }
        return taken
    }

    private init(_ relationship: ResolvedRelationship, _ orders: [OrderChange], _ keys: PermanentKeys) {
        self.relationship = relationship
        let changes = orders.map { order in
            Place(member: keys.permanent(order.member), owner: keys.permanent(order.owner), number: order.number)
        }
        // Changes of one place stay in their order, of which the last counts.
        for place in changes.sorted(by: { $0.isBefore($1) }) {
            if places.last?.isSame(as: place) == true { places.removeLast() }
            places.append(place)
        }
    }
}

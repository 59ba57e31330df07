/// The objects that to-one relationships led to last, kept although nothing else may hold them.
///
/// Reading `item.list.name` for one item after another holds no list longer than that takes. Core Data's objects
/// keep those that they were found to be related to; here an object has no room for them, and so the context keeps some
/// for a while. Otherwise a list would be read from the store again for each of its items.
struct FollowedObjects {
    private var objects: [ManagedObject] = []
    private var oldest = 0

    /// How many are kept: as many faults as a page has rows, 32 bytes each beside the page.
    static let limit = RowPage.rows

    /// Keeps an object in place of the one that was kept the longest.
    mutating func keep(_ object: ManagedObject) {
        if objects.count < Self.limit { return objects.append(object) }
        objects[oldest] = object
        oldest = (oldest + 1) % Self.limit
    }

    mutating func removeAll() {
        objects = []
        oldest = 0
    }
}

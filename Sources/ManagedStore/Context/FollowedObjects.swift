/// The last objects that to-one relationships led to, kept alive for a while.
///
/// Code such as `item.list.name`, for one item after another, holds each list only during the expression. Core Data's
/// objects retain their related objects. An object here has no room for such references, so the context keeps some
/// objects for a while. Otherwise it would read a list from the store again for each of its items.
struct FollowedObjects {
    private var objects: [ManagedObject] = []
    private var oldest = 0

    /// How many objects are kept: as many as a page has rows. A fault takes 32 bytes besides its page.
    static let limit = RowPage.rows

    /// Keeps an object in place of the oldest one.
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

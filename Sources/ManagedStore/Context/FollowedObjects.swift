/// The last objects that to-one relationships led to, kept alive for a while.
///
/// Code such as `item.list.name`, for one item after another, holds each list only during the expression. Core Data's
/// objects retain their related objects. An object here has no room for such references, so the context keeps some
/// objects for a while. Otherwise it would read a list from the store again for each of its items.
///
/// It keeps as many as it has other objects. A fetch of many items may lead to many lists in turn, and with any fixed
/// number of them kept, the next list could be the one that has just been given up.
struct FollowedObjects {
    private var objects: [ManagedObject] = []
    /// The place of the next object; those from there on are the oldest.
    private var next = 0
    private var limit = Self.least

    /// How many objects are kept at least: as many as a page has rows. A fault takes 32 bytes besides its page.
    static let least = RowPage.rows

    /// Keeps an object, in place of the oldest one if there are as many as the context has others.
    ///
    /// - Parameter registered: Returns the number of the context's objects, with those that are kept here.
    mutating func keep(_ object: ManagedObject, registered: () -> Int) {
        if next == limit { beginRound(registered()) }
        if next < objects.count { objects[next] = object } else { objects.append(object) }
        next += 1
    }

    /// As many as the context has other objects.
    private func most(_ registered: Int) -> Int { max(Self.least, registered - objects.count) }

    /// All objects were replaced since the last time, so that the first is the oldest again.
    private mutating func beginRound(_ registered: Int) {
        limit = most(registered)
        if objects.count > limit { objects.removeFirst(objects.count - limit) }
        next = objects.count < limit ? objects.count : 0
    }

    /// Gives up the oldest objects, if the context has less than half as many others by now.
    mutating func trim(registered: () -> Int) {
        guard objects.count > 2 * Self.least else { return }
        let most = most(registered())
        guard objects.count > 2 * most else { return }
        objects = Array((objects[next...] + objects[..<next]).suffix(most))
        (limit, next) = (most, most)
    }

    mutating func removeAll() { self = FollowedObjects() }
}

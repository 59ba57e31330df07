/// The position of an object in the sections of a ``FetchedResultsController``.
public struct FetchedIndexPath: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The section's index.
    public var section: Int
    /// The object's index within its section.
    public var item: Int

    /// Makes the path of the object `item` in section `section`.
    public init(item: Int, section: Int) {
        self.section = section
        self.item = item
    }

    /// Whether `left` comes before `right` in the list.
    public static func < (left: FetchedIndexPath, right: FetchedIndexPath) -> Bool {
        (left.section, left.item) < (right.section, right.item)
    }

    /// Section and item, as in `[0, 7]`.
    public var description: String { "[\(section), \(item)]" }
}

/// The changes to the list of a ``FetchedResultsController`` in one step: a plain value that can cross queues.
///
/// Old index paths and section indexes apply before all of the changes, new ones after all of them.
public struct FetchedResultsChangeSet: Sendable, Hashable {
    /// The change of one object.
    public struct ObjectChange: Sendable, Hashable {
        /// The object's ID, which is temporary until the object is saved.
        public let objectID: ManagedObjectID
        /// The previous position; nil if the object is new to the list.
        public let oldIndexPath: FetchedIndexPath?
        /// The new position; nil if the object left the list.
        public let newIndexPath: FetchedIndexPath?
    }

    /// An inserted or deleted section.
    public struct SectionChange: Sendable, Hashable {
        /// The section's name.
        public let name: String
        /// Its index: the old one of a deleted section, the new one of an inserted section.
        public let index: Int
    }

    /// The deleted sections, by descending old index.
    public internal(set) var deletedSections: [SectionChange] = []
    /// The inserted sections, by ascending new index.
    public internal(set) var insertedSections: [SectionChange] = []
    /// Objects that left the list, by descending old index path.
    public internal(set) var deletes: [ObjectChange] = []
    /// Objects that entered the list, by ascending new index path.
    public internal(set) var inserts: [ObjectChange] = []
    /// Objects that changed, or whose section did, and therefore moved, by ascending new index path. The old and the
    /// new index path always differ.
    public internal(set) var moves: [ObjectChange] = []
    /// Objects that changed, or whose section did, without moving, by ascending new index path.
    public internal(set) var updates: [ObjectChange] = []

    /// Whether nothing changed.
    public var isEmpty: Bool {
        deletedSections.isEmpty && insertedSections.isEmpty && deletes.isEmpty && inserts.isEmpty && moves.isEmpty
            && updates.isEmpty
    }

    /// Turns the old list into the new one.
    ///
    /// Removes the deleted, moved and updated objects, then deletes and inserts whole sections, and then inserts the
    /// inserted, moved and updated objects at their new index paths, in ascending order.
    ///
    /// `element` makes the list's element for an inserted, moved or updated object. O(n) for each such object in the
    /// worst case.
    public func apply<Element>(to sections: inout [[Element]], element: (ObjectChange) -> Element) {
        let removed = (deletes + moves + updates).compactMap(\.oldIndexPath).sorted(by: >)
        for path in removed { sections[path.section].remove(at: path.item) }
        for section in deletedSections { sections.remove(at: section.index) }
        for section in insertedSections { sections.insert([], at: section.index) }
        let placed = (inserts + moves + updates).map { ($0.newIndexPath!, $0) }.sorted { $0.0 < $1.0 }
        for (path, change) in placed { sections[path.section].insert(element(change), at: path.item) }
    }
}

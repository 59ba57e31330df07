/// Where an object stands in the sections of a ``FetchedResultsController``.
public struct FetchedIndexPath: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The section's index.
    public var section: Int
    /// The object's index within its section.
    public var item: Int

    /// The place `item` of section `section`.
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

/// What changed in a list of a ``FetchedResultsController`` at once: a plain value, which may cross queues.
///
/// Old index paths and section indexes are those before any of the changes, new ones those after all of them.
public struct FetchedResultsChangeSet: Sendable, Hashable {
    /// What happened to one object.
    public struct ObjectChange: Sendable, Hashable {
        /// The object; the ID is temporary while the object is not saved.
        public let objectID: ManagedObjectID
        /// Where it was; nil if it is new to the list.
        public let oldIndexPath: FetchedIndexPath?
        /// Where it is; nil if it left the list.
        public let newIndexPath: FetchedIndexPath?
    }

    /// A section that came or went.
    public struct SectionChange: Sendable, Hashable {
        /// The section's name.
        public let name: String
        /// Its index: the old one of a section that went, the new one of a section that came.
        public let index: Int
    }

    /// Sections that went, by descending old index.
    public internal(set) var deletedSections: [SectionChange] = []
    /// Sections that came, by ascending new index.
    public internal(set) var insertedSections: [SectionChange] = []
    /// Objects that left the list, by descending old index path.
    public internal(set) var deletes: [ObjectChange] = []
    /// Objects that are new to the list, by ascending new index path.
    public internal(set) var inserts: [ObjectChange] = []
    /// Objects that changed and therefore stand elsewhere, by ascending new index path; never from a path to the same
    /// path.
    public internal(set) var moves: [ObjectChange] = []
    /// Objects that changed and were not moved, by ascending new index path.
    public internal(set) var updates: [ObjectChange] = []

    /// Whether nothing changed.
    public var isEmpty: Bool {
        deletedSections.isEmpty && insertedSections.isEmpty && deletes.isEmpty && inserts.isEmpty && moves.isEmpty
            && updates.isEmpty
    }

    /// Turns the old list into the new one: takes out what was deleted, moved or updated; then whole sections; and puts
    /// what was inserted, moved or updated in at its new index path, in ascending order.
    ///
    /// `element` makes the list's element for an object that was inserted, moved or updated. O(n) for each such object
    /// at worst.
    public func apply<Element>(to sections: inout [[Element]], element: (ObjectChange) -> Element) {
        let removed = (deletes + moves + updates).compactMap(\.oldIndexPath).sorted(by: >)
        for path in removed { sections[path.section].remove(at: path.item) }
        for section in deletedSections { sections.remove(at: section.index) }
        for section in insertedSections { sections.insert([], at: section.index) }
        let placed = (inserts + moves + updates).map { ($0.newIndexPath!, $0) }.sorted { $0.0 < $1.0 }
        for (path, change) in placed { sections[path.section].insert(element(change), at: path.item) }
    }
}

/// A context's pages for the next rows that it writes, one for each entity. Small contexts get small pages.
struct OpenPages {
    private var pages: [RowPage?]
    private let areForNewObjects: Bool

    /// Makes the pages for the rows of new objects, or those for rows that may replace others.
    init(entityCount: Int, areForNewObjects: Bool) {
        pages = [RowPage?](repeating: nil, count: entityCount)
        self.areForNewObjects = areForNewObjects
    }

    /// The page of an entity; nil if a row needs a new one.
    @inline(__always) func page(of entity: Int) -> RowPage? {
        guard let page = pages[entity], !page.isFull else { return nil }
        return page
    }

    /// Returns the page of an entity, a new one if the last has no room.
    mutating func page(of source: ObjectIDSource, _ registry: ObjectRegistry) -> RowPage {
        if let page = page(of: source.entityIndex) { return page }
        let capacity = min(RowPage.rows, (pages[source.entityIndex]?.capacity ?? 4) * 4)
        let page = RowPage(writable: source, capacity: capacity, isForNewObjects: areForNewObjects)
        page.registry = registry
        pages[source.entityIndex] = page
        return page
    }

    mutating func removeAll() {
        pages = pages.map { _ in nil }
    }
}

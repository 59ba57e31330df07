import Foundation

/// A row in a page that does not change any more, readable on any thread.
struct RowSnapshot: Sendable {
    let page: RowPage
    let index: Int

    /// The row; valid while the snapshot or its page lives.
    var reference: RowReference { RowReference(page.row(index)) }

    /// The row's values by key.
    var values: [String: StoredValue] {
        withExtendedLifetime(page) { reference.values(of: page.entity) }
    }
}

extension RowReference {
    /// Returns all values of a row by key, as snapshots show them: attributes, and the IDs of to-one relationships.
    func values(of entity: EntityDescription) -> [String: StoredValue] {
        Dictionary(
            zip(entity.fieldNames, entity.layout.fields).map { ($0, value($1)) },
            uniquingKeysWith: { first, _ in first })
    }
}

extension FetchedRows {
    /// Returns the rows by key.
    func snapshotsByKey() -> [Int64: RowSnapshot] {
        var byKey: [Int64: RowSnapshot] = [:]
        byKey.reserveCapacity(count)
        for page in pages {
            for index in 0..<page.count { byKey[page.row(index).key] = RowSnapshot(page: page, index: index) }
        }
        return byKey
    }
}

/// Copies rows of one entity into pages that do not change afterwards.
struct RowCopies {
    let source: ObjectIDSource
    private(set) var pages: [RowPage] = []
    /// The number of rows for which a new page makes room.
    private let expectedCount: Int

    init(_ source: ObjectIDSource, expectedCount: Int = 16) {
        (self.source, self.expectedCount) = (source, expectedCount)
    }

    /// Copies a row with its key and version.
    mutating func copy(_ row: RowReference) -> RowSnapshot {
        let page = pageWithRoom()
        let index = page.count
        page.copyRow(row, to: page.appendRow(key: row.row.key))
        return RowSnapshot(page: page, index: index)
    }

    /// Copies saved rows. Those that inherit most of a page's long values still do.
    mutating func copySaved(_ rows: [RowReference]) -> [RowSnapshot] {
        var inherited = InheritedBytes()
        for row in rows { row.forEachHome { inherited.add($1, on: $0) } }
        return rows.map { row in
            if row.inheritedByteCount == nil { return copy(row) }
            let page = pageWithRoom()
            let index = page.count
            page.copySavedRow(row, to: page.appendRow(key: row.row.key)) { home in
                home.homes.isEmpty && inherited.areWorthKeeping(home, home.arena.count)
            }
            return RowSnapshot(page: page, index: index)
        }
    }

    private mutating func pageWithRoom() -> RowPage {
        if let last = pages.last, !last.isFull { return last }
        let page = RowPage(source, capacity: expectedCount)
        pages.append(page)
        return page
    }
}

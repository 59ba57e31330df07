import Dispatch
import Foundation
import Locking
import TestSupport
import Testing

@testable import ManagedStore

/// What every persistent store must do, asked of the store itself: another kind of store is listed in ``Backend``, and
/// has to pass what it offers.
@Suite struct PersistentStoreConformanceTests {
    /// A store, and the rows that are about to be saved to it.
    private final class Subject {
        let kept: TestStore
        let store: any PersistentStore
        let model: ManagedObjectModel
        private var pages: [RowPage] = []
        private var nextTemporaryKey: Int64 = -1
        private(set) var changes: ChangeSet

        init(_ backend: Backend) throws {
            let model = backend.features.contains(.relationships) ? try Library.model() : try Self.plainModel()
            kept = try TestStore(backend, model: model)
            store = try kept.coordinator.requireStore()
            self.model = model
            changes = Self.emptyChanges(model)
        }

        /// The library without its relationships.
        private static func plainModel() throws -> ManagedObjectModel {
            let text = { (name: String) in AttributeDescription(name, .string) }
            let book = EntityDescription(name: "Book", attributes: [text("title")])
            let scale = AttributeDescription("scale", .integer64, defaultValue: .integer64(1))
            return try ManagedObjectModel(entities: [
                EntityDescription(name: "Author", attributes: [text("name")]), book,
                EntityDescription(name: "Atlas", attributes: [scale], superentity: book),
            ])
        }

        private static func emptyChanges(_ model: ManagedObjectModel) -> ChangeSet {
            var changes = ChangeSet(entities: .init(repeating: .init(), count: model.entities.count))
            changes.hasRelationships = true
            return changes
        }

        func source(_ entity: String) -> ObjectIDSource {
            store.sources[model.entities.firstIndex { $0.name == entity } ?? 0]
        }

        private func page(_ entity: String) -> RowPage {
            let page = RowPage(writable: source(entity), capacity: 1)
            pages.append(page)
            return page
        }

        private func set(_ values: [String: StoredValue], _ page: RowPage, _ row: RowPointer) throws {
            for (key, value) in values {
                page.setValue(value, of: page.layout.fields[try page.entity.fieldPosition(of: key)], of: row)
            }
        }

        /// Returns the new row's temporary key, or the one that it was given.
        @discardableResult
        func insert(_ entity: String, _ values: [String: StoredValue], key: Int64? = nil) throws -> Int64 {
            let page = page(entity)
            let row = page.appendRow(key: key ?? nextTemporaryKey)
            if key == nil { nextTemporaryKey -= 1 }
            try set(values, page, row)
            changes.entities[page.entityIndex].inserts.append(RowReference(row))
            return row.key
        }

        func update(_ old: RowReference, _ values: [String: StoredValue], version: Int32? = nil) throws {
            let page = page(old.page._withUnsafeGuaranteedRef { $0.entity.name })
            let row = page.appendRow(key: old.row.key)
            page.copyRow(old, to: row)
            let before = self.page(page.entity.name)
            let originRow = before.appendRow(key: old.row.key)
            before.copyRow(old, to: originRow)
            if let version { originRow.version = version }
            page.setOrigin(RowReference(originRow), of: row)
            try set(values, page, row)
            changes.entities[page.entityIndex].updates.append(RowReference(row))
        }

        func delete(_ old: RowReference, version: Int32? = nil) {
            let page = page(old.page._withUnsafeGuaranteedRef { $0.entity.name })
            let row = page.appendRow(key: old.row.key)
            page.copyRow(old, to: row)
            if let version { row.version = version }
            changes.entities[page.entityIndex].deletes.append(RowReference(row))
        }

        func id(_ entity: String, _ key: Int64) -> StoredValue {
            .objectID(ManagedObjectID(source: source(entity), key: key))
        }

        func link(_ edit: (inout ChangeSet) -> Void) { edit(&changes) }

        @discardableResult
        func commit() throws -> PermanentKeys {
            defer {
                changes = Self.emptyChanges(model)
                nextTemporaryKey = -1
            }
            return try store.commit(changes)
        }

        func rows(_ plan: FetchPlan) throws -> FetchedRows {
            let rows = try store.rows(plan, FetchControl())
            pages += rows.pages
            return rows
        }

        func all(_ entity: String) throws -> [RowReference] {
            try rows(FetchPlan(source: source(entity))).references().sorted { $0.row.key < $1.row.key }
        }

        func texts(_ rows: [RowReference]) -> [String] {
            rows.map { row in
                let layout = row.page._withUnsafeGuaranteedRef { $0.layout }
                return "\(row.value(layout.fields[0]))".trimmingCharacters(in: ["\""])
            }
        }

        func related(_ owner: Int64, _ entity: String, _ name: String) throws -> [String] {
            let related = try store.relatedRows(to: owner, by: try source(entity).relationship(named: name))
            pages += related.rows.pages
            return texts(related.rows.references())
        }
    }

    @Test(arguments: Backend.conforming) func aNewStoreIsEmptyAndHasANameOfItsOwn(_ backend: Backend) throws {
        let (one, other) = (try Subject(backend), try Subject(backend))
        #expect(one.store.identifier != other.store.identifier)
        #expect(one.store.sources.map(\.entity.name) == one.model.entities.map(\.name))
        #expect(try one.all("Author").isEmpty)
        #expect(one.store.metadata.isEmpty)
    }

    @Test(arguments: Backend.conforming) func insertedRowsAreReadBack(_ backend: Backend) throws {
        let subject = try Subject(backend)
        for name in ["a", "b", "c"] { try subject.insert("Author", ["name": .string(name)]) }
        let keys = try subject.commit()
        let rows = try subject.all("Author")
        #expect(subject.texts(rows) == ["a", "b", "c"])
        #expect(rows.allSatisfy { $0.row.version == 1 && $0.row.key > 0 })
        #expect((1...3).map { keys.permanent(-$0) } == rows.map(\.row.key))
        let index = subject.source("Author").entityIndex
        let some = try subject.store.rows(withKeys: [rows[2].row.key, 999, rows[0].row.key], of: index)
        #expect(Set(subject.texts(some.references())) == ["a", "c"])
        withExtendedLifetime(some) {}
    }

    @Test(arguments: Backend.conforming) func reservedKeysAreGivenOnce(_ backend: Backend) throws {
        let subject = try Subject(backend)
        let index = subject.source("Author").entityIndex
        let first = try subject.store.reserveKeys(3, of: index)
        try subject.insert("Author", ["name": .string("reserved")], key: first + 1)
        try subject.insert("Author", ["name": .string("new")])
        let keys = try subject.commit()
        #expect(keys.permanent(-1) >= first + 3)
        #expect(try subject.store.reserveKeys(1, of: index) > keys.permanent(-1))
        #expect(subject.texts(try subject.all("Author")) == ["reserved", "new"])
        // Entities of a hierarchy share their keys.
        let (book, atlas) = (subject.source("Book").entityIndex, subject.source("Atlas").entityIndex)
        #expect(try subject.store.reserveKeys(2, of: book) + 2 == subject.store.reserveKeys(1, of: atlas))
    }

    @Test(arguments: Backend.conforming) func updatesCountUpVersions(_ backend: Backend) throws {
        let subject = try Subject(backend)
        try subject.insert("Author", ["name": .string("a")])
        try subject.insert("Author", ["name": .string("b")])
        try subject.commit()
        let rows = try subject.all("Author")
        try subject.update(rows[0], ["name": .string("changed")])
        try subject.update(rows[1], ["name": .string("b")])
        try subject.commit()
        let after = try subject.all("Author")
        #expect(subject.texts(after) == ["changed", "b"])
        #expect(after.map(\.row.version) == [2, 1], "what was set to what it was is not saved")
    }

    @Test(arguments: Backend.conforming) func aCommitIsAllOrNothing(_ backend: Backend) throws {
        let subject = try Subject(backend)
        for name in ["a", "b", "c"] { try subject.insert("Author", ["name": .string(name)]) }
        try subject.commit()
        let rows = try subject.all("Author")
        try subject.insert("Author", ["name": .string("new")])
        try subject.update(rows[0], ["name": .string("fine")])
        try subject.update(rows[1], ["name": .string("stale")], version: 7)
        subject.delete(rows[2], version: 9)
        subject.link { $0.metadata = ["key": .string("value")] }
        let error = #expect(throws: StoreError.self) { try subject.commit() }
        #expect(error?.code == .mergeConflict)
        let conflicts = (error?.conflicts ?? []).sorted { $0.objectID.key < $1.objectID.key }
        #expect(conflicts.map(\.objectID.key) == [rows[1].row.key, rows[2].row.key])
        #expect(conflicts.map(\.oldVersion) == [7, 9] && conflicts.map(\.newVersion) == [1, 1])
        #expect(subject.texts(try subject.all("Author")) == ["a", "b", "c"])
        #expect(subject.store.metadata.isEmpty)
    }

    @Test(arguments: Backend.conforming) func aRowThatIsGoneIsAConflictWithVersionZero(_ backend: Backend) throws {
        let subject = try Subject(backend)
        try subject.insert("Author", ["name": .string("a")])
        try subject.commit()
        let row = try #require(try subject.all("Author").first)
        subject.delete(row)
        try subject.commit()
        #expect(try subject.all("Author").isEmpty)
        try subject.update(row, ["name": .string("b")])
        let error = #expect(throws: StoreError.self) { try subject.commit() }
        #expect(error?.conflicts.map(\.newVersion) == [0])
    }

    @Test(arguments: Backend.conforming) func plansAreCarriedOut(_ backend: Backend) throws {
        let subject = try Subject(backend)
        for name in ["d", "a", "c", "b", "a"] { try subject.insert("Author", ["name": .string(name)]) }
        try subject.commit()
        var plan = FetchPlan(source: subject.source("Author"))
        plan.predicate = .compare(0, .less, .string("d"))
        plan.sort = [ResolvedSort(position: 0, ascending: false)]
        #expect(subject.texts(try subject.rows(plan).references()) == ["c", "b", "a", "a"])
        #expect(try subject.store.count(plan) == 4)
        (plan.offset, plan.limit) = (1, 2)
        let rows = try subject.rows(plan).references()
        #expect(subject.texts(rows) == ["b", "a"])
        #expect(try subject.store.keys(plan, FetchControl()).keys == rows.map(\.row.key))
        #expect(try subject.store.count(plan) == 2)
        plan.predicate = .constant(false)
        #expect(try subject.store.count(plan) == 0)
    }

    @Test(arguments: Backend.conforming) func subentitiesAreFoundOrLeftOut(_ backend: Backend) throws {
        let subject = try Subject(backend)
        try subject.insert("Book", ["title": .string("book")])
        try subject.insert("Atlas", ["title": .string("atlas"), "scale": .integer64(5)])
        try subject.commit()
        var plan = FetchPlan(source: subject.source("Book"))
        let both = try subject.rows(plan).references()
        #expect(Set(subject.texts(both)) == ["book", "atlas"])
        #expect(Set(both.map { $0.page.takeUnretainedValue().entity.name }) == ["Book", "Atlas"])
        #expect(
            Set(
                try subject.store.keys(plan, FetchControl()).ids(plan.source, among: subject.store.sources).map(
                    \.entity.name)
            ).count == 2)
        plan.includesSubentities = false
        #expect(subject.texts(try subject.rows(plan).references()) == ["book"])
        #expect(try subject.store.count(plan) == 1)
    }

    @Test(arguments: Backend.conforming) func aFetchIsCancelledAndReportsWhatItFound(_ backend: Backend) throws {
        let subject = try Subject(backend)
        for number in 0..<10 { try subject.insert("Author", ["name": .string("\(number)")]) }
        try subject.commit()
        let plan = FetchPlan(source: subject.source("Author"))
        let found = Locked(0)
        _ = try subject.store.rows(plan, FetchControl(report: { count in found.withLock { $0 = count } }))
        #expect(found.withLock { $0 } == 10)
        let control = FetchControl()
        control.cancel()
        let error = #expect(throws: StoreError.self) { try subject.store.rows(plan, control) }
        #expect(error?.code == .cancelled)
    }

    @Test(arguments: Backend.offering(.relationships, of: Backend.conforming)) func relationshipsOfAllKindsAreKept(
        _ backend: Backend
    ) throws {
        let subject = try Subject(backend)
        let author = try subject.insert("Author", ["name": .string("a")])
        let friend = try subject.insert("Author", ["name": .string("f")])
        let book = try subject.insert(
            "Atlas", ["title": .string("1"), "author": subject.id("Author", author), "scale": .integer64(1)])
        let other = try subject.insert("Book", ["title": .string("2"), "author": subject.id("Author", author)])
        let tag = try subject.insert("Tag", ["name": .string("t")])
        let books = try subject.source("Tag").relationship(named: "books")
        let friends = try subject.source("Author").relationship(named: "friends")
        guard case .manyToMany(let join, let isFirst) = books.kind, case .manyToMany(let friendJoin, _) = friends.kind
        else { return }
        subject.link { changes in
            for (index, member) in [other, book].enumerated() {
                let (first, second) = isFirst ? (tag, member) : (member, tag)
                changes.links.append(LinkChange(join: join, first: first, second: second, isAdded: true))
                changes.orders.append(
                    OrderChange(relationship: books, owner: tag, member: member, number: Int64(index) + 1))
            }
            changes.links.append(LinkChange(join: friendJoin, first: author, second: friend, isAdded: true))
            changes.links.append(LinkChange(join: friendJoin, first: friend, second: author, isAdded: true))
        }
        let keys = try subject.commit()
        let (authorKey, tagKey, bookKey) = (keys.permanent(author), keys.permanent(tag), keys.permanent(book))
        #expect(try Set(subject.related(authorKey, "Author", "books")) == ["1", "2"])
        #expect(try subject.related(tagKey, "Tag", "books") == ["2", "1"])
        #expect(try subject.related(bookKey, "Atlas", "tags") == ["t"])
        #expect(try subject.related(keys.permanent(friend), "Author", "friends") == ["a"])
        let atlas = try #require(try subject.all("Book").first { $0.row.key == bookKey })
        subject.delete(atlas)
        try subject.commit()
        #expect(try subject.related(tagKey, "Tag", "books") == ["2"])
        #expect(try subject.related(authorKey, "Author", "books") == ["2"])
    }

    @Test(arguments: Backend.offering(.relationships, of: Backend.conforming))
    func theLastChangeOfAPairAndOfAPlaceCounts(_ backend: Backend) throws {
        let subject = try Subject(backend)
        let relationship = try subject.source("Tag").relationship(named: "books")
        guard case .manyToMany(let join, let isFirst) = relationship.kind else { return }
        let tag = try subject.insert("Tag", ["name": .string("t")])
        let books = try (0..<4).map { try subject.insert("Book", ["title": .string("\($0)")]) }
        let keys = try subject.commit()
        func save(_ changes: [(book: Int, isAdded: Bool)], _ places: [(book: Int, number: Int64)]) throws -> [String] {
            subject.link { set in
                set.links = changes.map { book, isAdded in
                    let ends = isFirst ? (tag, books[book]) : (books[book], tag)
                    return LinkChange(
                        join: join, first: keys.permanent(ends.0), second: keys.permanent(ends.1), isAdded: isAdded)
                }
                set.orders = places.map { book, number in
                    OrderChange(
                        relationship: relationship, owner: keys.permanent(tag), member: keys.permanent(books[book]),
                        number: number)
                }
            }
            try subject.commit()
            return try subject.related(keys.permanent(tag), "Tag", "books")
        }
        #expect(
            try save(
                [(2, true), (0, true), (1, true), (1, false), (3, false), (3, true)], [(0, 1), (2, 2), (3, 3), (0, 4)])
                == ["2", "3", "0"])
        #expect(
            try save([(0, false), (0, true), (2, true), (2, false), (1, true)], [(1, 9), (0, 5), (1, 2)])
                == ["1", "3", "0"])
    }

    @Test(arguments: Backend.offering(.relationships, of: Backend.conforming))
    func aNewRowHasItsPlaceInTheListOfItsOwner(_ backend: Backend) throws {
        let subject = try Subject(backend)
        let chapters = try subject.source("Book").relationship(named: "chapters")
        let book = try subject.insert("Book", ["title": .string("1")])
        let bookKey = try subject.commit().permanent(book)
        let new = try subject.insert("Atlas", ["title": .string("2"), "scale": .integer64(1)])
        let members = try [bookKey, bookKey, new, new].enumerated().map { index, owner in
            try subject.insert(
                "Chapter", ["title": .string("\(index)"), "book": subject.id(owner == new ? "Atlas" : "Book", owner)])
        }
        subject.link { changes in
            for (owner, numbers) in [(bookKey, [2, 1, 0, 1] as [Int64]), (new, [8, 9, 2, 1])] {
                for (member, number) in zip(members, numbers) {
                    changes.orders.append(
                        OrderChange(relationship: chapters, owner: owner, member: member, number: number))
                }
            }
        }
        let keys = try subject.commit()
        #expect(try subject.related(bookKey, "Book", "chapters") == ["1", "0"])
        #expect(try subject.related(keys.permanent(new), "Book", "chapters") == ["3", "2"])
    }

    @Test(arguments: Backend.offering(.relationships, of: Backend.conforming))
    func aReferenceFindsItsTargetOrNothingIsSaved(_ backend: Backend)
        throws
    {
        let subject = try Subject(backend)
        try subject.insert("Author", ["name": .string("a")])
        try subject.commit()
        let author = try #require(try subject.all("Author").first)
        for (entity, key) in [("Author", author.row.key + 1), ("Cover", author.row.key)] {
            try subject.insert("Book", ["title": .string("1"), "author": subject.id(entity, key)])
            let error = expectError(.mergeConflict) { try subject.commit() }
            #expect(error?.conflicts.map(\.objectID.key) == [key] && error?.conflicts.first?.newVersion == 0)
        }
        #expect(try subject.all("Book").isEmpty)
        try subject.insert("Book", ["title": .string("1"), "author": subject.id("Author", author.row.key)])
        try subject.commit()
        #expect(try subject.all("Book").count == 1)
    }

    @Test(arguments: Backend.offering(.relationships, of: Backend.conforming)) func aLinkFindsBothEndsOrNothingIsSaved(
        _ backend: Backend
    )
        throws
    {
        let subject = try Subject(backend)
        let tag = try subject.insert("Tag", ["name": .string("t")])
        let key = try subject.commit().permanent(tag)
        guard case .manyToMany(let join, let isFirst) = try subject.source("Tag").relationship(named: "books").kind
        else { return }
        subject.link { changes in
            let (first, second) = isFirst ? (key, 99) : (99, key)
            changes.links.append(LinkChange(join: join, first: first, second: second, isAdded: true))
        }
        let error = expectError(.mergeConflict) { try subject.commit() }
        #expect(error?.conflicts.map(\.objectID.key) == [99])
        #expect(try subject.related(key, "Tag", "books") == [])
    }

    @Test(arguments: Backend.offering(.relationships, of: Backend.conforming))
    func aDeletedRowIsNotReferredToAfterwards(_ backend: Backend)
        throws
    {
        let subject = try Subject(backend)
        let author = try subject.insert("Author", ["name": .string("a")])
        try subject.insert("Book", ["title": .string("1"), "author": subject.id("Author", author)])
        try subject.commit()
        let stored = try #require(try subject.all("Author").first)
        subject.delete(stored)
        let error = expectError(.mergeConflict) { try subject.commit() }
        #expect(error?.conflicts.map(\.objectID.key) == [stored.row.key])
        #expect(try subject.all("Author").count == 1)
        subject.delete(stored)
        try subject.update(try #require(try subject.all("Book").first), ["author": .null])
        try subject.commit()
        #expect(try subject.all("Author").isEmpty && subject.all("Book").count == 1)
    }

    @Test(arguments: Backend.offering(.relationships, of: Backend.conforming)) func partnersLeadToEachOther(
        _ backend: Backend
    ) throws {
        let subject = try Subject(backend)
        let book = try subject.insert("Book", ["title": .string("1")])
        let cover = try subject.insert("Cover", ["colour": .string("red"), "book": subject.id("Book", book)])
        subject.link { changes in
            for changes in changes.entities {
                for row in changes.inserts where row.row.key == book {
                    let layout = row.page._withUnsafeGuaranteedRef { $0.layout }
                    layout.toOneFields.last?.setReference(
                        ObjectReference(entity: subject.source("Cover").entityIndex, key: cover), of: row.row)
                }
            }
        }
        try subject.insert("Cover", ["colour": .string("blue")])
        try subject.commit()
        let covers = try subject.all("Cover")
        let key = try #require(try subject.all("Book").first).row.key
        try subject.update(try #require(covers.last), ["book": subject.id("Book", key)])
        let error = expectError(.mergeConflict) { try subject.commit() }
        #expect(error?.conflicts.map(\.objectID.key).contains(covers[0].row.key) == true)
    }

    @Test(arguments: Backend.offering(.batchUpdates, of: Backend.conforming)) func batchesTellHowManyAndWhich(
        _ backend: Backend
    ) throws {
        let subject = try Subject(backend)
        for name in ["a", "b", "c"] { try subject.insert("Author", ["name": .string(name)]) }
        try subject.commit()
        let rows = try subject.all("Author")
        let plan = FetchPlan(source: subject.source("Author"), predicate: .compare(0, .greater, .string("a")))
        let update = BatchUpdatePlan(rows: plan, assignments: [(0, .constant(.string("z")))], wantsKeys: true)
        let updated = try subject.store.update(update)
        #expect(updated.count == 2 && updated.keys.keys == rows.dropFirst().map(\.row.key))
        let after = try subject.all("Author")
        #expect(subject.texts(after) == ["a", "z", "z"] && after.map(\.row.version) == [1, 2, 2])
        let deleted = try subject.store.delete(plan, wantsKeys: true)
        #expect(deleted.count == 2 && deleted.keys.keys == updated.keys.keys)
        #expect(subject.texts(try subject.all("Author")) == ["a"])
    }

    @Test(arguments: Backend.conforming) func aBatchDeleteTellsHowManyAndWhich(_ backend: Backend) throws {
        let subject = try Subject(backend)
        for name in ["a", "b", "c"] { try subject.insert("Author", ["name": .string(name)]) }
        try subject.commit()
        let rows = try subject.all("Author")
        let plan = FetchPlan(source: subject.source("Author"), predicate: .compare(0, .greater, .string("a")))
        let deleted = try subject.store.delete(plan, wantsKeys: true)
        #expect(deleted.count == 2 && deleted.keys.keys == rows.dropFirst().map(\.row.key))
        #expect(subject.texts(try subject.all("Author")) == ["a"])
    }

    @Test(arguments: Backend.conforming) func metadataIsSavedWithTheRows(_ backend: Backend) throws {
        let subject = try Subject(backend)
        subject.link { $0.metadata = ["seeded": .boolean(true), "count": .integer64(7)] }
        try subject.insert("Author", ["name": .string("a")])
        try subject.commit()
        #expect(subject.store.metadata == ["seeded": .boolean(true), "count": .integer64(7)])
    }

    @Test(arguments: Backend.conforming) func statisticsCountWrittenRows(_ backend: Backend) throws {
        let subject = try Subject(backend)
        subject.store.resetStatistics()
        try subject.insert("Author", ["name": .string("a")])
        try subject.commit()
        #expect(subject.store.statistics.rows == 1)
        subject.store.resetStatistics()
        #expect(subject.store.statistics.rows == 0)
    }

    @Test(arguments: Backend.conforming) func statisticsCountReadRows(_ backend: Backend) throws {
        let subject = try Subject(backend)
        for name in ["a", "b", "c"] { try subject.insert("Author", ["name": .string(name)]) }
        try subject.commit()
        subject.store.resetStatistics()
        #expect(try subject.rows(FetchPlan(source: subject.source("Author"))).count == 3)
        #expect(subject.store.statistics.rows == 3)
    }

    @Test(arguments: Backend.conforming) func whatWasReadDoesNotChange(_ backend: Backend) throws {
        let subject = try Subject(backend)
        try subject.insert("Author", ["name": .string("a")])
        try subject.commit()
        let before = try subject.all("Author")
        try subject.update(before[0], ["name": .string("b")])
        try subject.commit()
        #expect(subject.texts(before) == ["a"])
    }

    @Test(arguments: Backend.conforming) func manyThreadsMayUseAStore(_ backend: Backend) throws {
        let kept = try TestStore(backend)
        let failures = Locked<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            let context = kept.context()
            do {
                for number in 0..<20 {
                    Item("\(thread)-\(number)", in: context)
                    try context.save()
                    _ = try context.count(for: FetchRequest(Item.self))
                }
            } catch {
                failures.withLock { $0.append("\(error)") }
            }
        }
        #expect(failures.withLock { $0 } == [])
        let names = try kept.context().fetch(FetchRequest(Item.self)).map(\.name)
        #expect(Set(names).count == 160 && names.count == 160)
    }
}

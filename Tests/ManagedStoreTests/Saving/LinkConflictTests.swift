import Foundation
import Testing

@testable import ManagedStore

/// Conflicts of objects that have unsaved links of many-to-many relationships, or an unsaved order.
@Suite struct LinkConflictTests {
    /// A book tagged "a", whose context has tagged it "b" instead, while another context has given it another title.
    private struct Dispute {
        let store: TestStore
        let context: ManagedObjectContext
        let book: Book
        let tags: [Tag]

        init(_ backend: Backend, _ policy: MergePolicy.MergeType) throws {
            store = try Library.store(backend)
            context = store.context()
            context.mergePolicy = MergePolicy(policy)
            book = Book("1", in: context)
            let context = context
            tags = ["a", "b"].map { Tag($0, in: context) }
            book.tags = [tags[0]]
            try context.save()
        }

        func theyChangeTheTitle() throws {
            let other = store.context()
            let theirs = try #require(try other.existingObject(with: book.objectID) as? Book)
            theirs.title = "theirs"
            try other.save()
        }

        /// How many pairs of books and tags the file has.
        func storedPairs() throws -> [[String?]] {
            let database = try store.database()
            let table = try database.rows(
                "SELECT m.name FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.name LIKE 'Z!_%' ESCAPE '!' "
                    + "AND m.type = 'table' AND c.name LIKE '%BOOKS'")
            return try database.rows("SELECT COUNT(*) FROM \(try #require(table.first?.first ?? nil))")
        }

        /// The names of the book's tags, as a context that has read nothing yet finds them.
        func storedTags() throws -> [String] {
            let reader = store.context()
            let fresh = try #require(try reader.existingObject(with: book.objectID) as? Book)
            return fresh.tags.map(\.name).sorted()
        }
    }

    private static let policies: [(MergePolicy.MergeType, tag: Int, title: String)] = [
        (.mergeByPropertyStoreTrump, 0, "theirs"), (.rollback, 0, "theirs"), (.mergeByPropertyObjectTrump, 1, "mine"),
        (.overwrite, 1, "mine"),
    ]

    @Test(arguments: Backend.allCases, policies)
    func linksStayOnlyWhereTheContextWins(
        _ backend: Backend, _ expected: (policy: MergePolicy.MergeType, tag: Int, title: String)
    ) throws {
        let dispute = try Dispute(backend, expected.policy)
        let (context, book, tags) = (dispute.context, dispute.book, dispute.tags)
        book.tags = [tags[1]]
        book.title = "mine"
        try dispute.theyChangeTheTitle()
        try context.save()
        #expect(book.title == expected.title && book.tags == [tags[expected.tag]] && !context.hasChanges)
        for (index, tag) in tags.enumerated() { #expect(tag.books == (index == expected.tag ? [book] : [])) }
        #expect(try dispute.storedTags() == [tags[expected.tag].name])
        book.title = "later"
        try context.save()
        #expect(try dispute.storedTags() == [tags[expected.tag].name], "nothing is left to be saved later")
    }

    @Test(arguments: Backend.allCases, policies)
    func aDeletionThatIsWithdrawnLeavesTheLinks(
        _ backend: Backend, _ expected: (policy: MergePolicy.MergeType, tag: Int, title: String)
    ) throws {
        let dispute = try Dispute(backend, expected.policy)
        dispute.context.delete(dispute.book)
        try dispute.theyChangeTheTitle()
        try dispute.context.save()
        guard expected.tag == 0 else { return #expect(dispute.tags[0].books == []) }
        #expect(dispute.book.tags == [dispute.tags[0]] && dispute.tags[0].books == [dispute.book])
        #expect(try dispute.storedTags() == ["a"])
    }

    @Test(arguments: Backend.allCases, policies)
    func anObjectThatIsGoneTakesItsLinksAlong(
        _ backend: Backend, _ expected: (policy: MergePolicy.MergeType, tag: Int, title: String)
    ) throws {
        let dispute = try Dispute(backend, expected.policy)
        dispute.book.tags = [dispute.tags[1]]
        dispute.book.title = "mine"
        let other = dispute.store.context()
        other.delete(try other.existingObject(with: dispute.book.objectID))
        try other.save()
        try dispute.context.save()
        #expect(dispute.tags.allSatisfy { $0.books.isEmpty } && !dispute.context.hasChanges)
        if backend == .sqlite { #expect(try dispute.storedPairs() == [["0"]]) }
    }

    @Test(arguments: Backend.allCases) func anObjectThatAMergeRemovesTakesItsLinksAlong(_ backend: Backend) throws {
        let dispute = try Dispute(backend, .error)
        dispute.book.tags = [dispute.tags[1]]
        let other = dispute.store.context()
        let recorder = NotificationRecorder(ManagedObjectContext.didSaveObjectsNotification, from: other)
        other.delete(try other.existingObject(with: dispute.book.objectID))
        try other.save()
        try dispute.context.mergeChanges(fromContextDidSave: try #require(recorder.notifications.first))
        try dispute.context.save()
        #expect(dispute.tags.allSatisfy { $0.books.isEmpty })
        if backend == .sqlite { #expect(try dispute.storedPairs() == [["0"]]) }
    }

    @Test(arguments: Backend.allCases, policies)
    func anOrderStaysOnlyWhereTheContextWins(
        _ backend: Backend, _ expected: (policy: MergePolicy.MergeType, tag: Int, title: String)
    ) throws {
        let dispute = try Dispute(backend, expected.policy)
        let (context, book) = (dispute.context, dispute.book)
        book.chapters = ["x", "y"].map { Chapter($0, in: context) }
        try context.save()
        book.chapters = book.chapters.reversed()
        book.title = "mine"
        try dispute.theyChangeTheTitle()
        try context.save()
        let titles = expected.tag == 1 ? ["y", "x"] : ["x", "y"]
        #expect(book.chapters.map(\.title) == titles)
        let reader = dispute.store.context()
        let fresh = try #require(try reader.existingObject(with: book.objectID) as? Book)
        #expect(fresh.chapters.map(\.title) == titles)
    }

    @Test(arguments: Backend.allCases) func refreshingDropsUnsavedLinks(_ backend: Backend) throws {
        let dispute = try Dispute(backend, .error)
        dispute.book.tags = [dispute.tags[1]]
        try dispute.context.refresh(dispute.book, mergeChanges: false)
        #expect(dispute.book.tags == [dispute.tags[0]])
        #expect(dispute.tags.map(\.books) == [[dispute.book], []])
        try dispute.context.save()
        #expect(try dispute.storedTags() == ["a"])
    }
}

import Foundation
import Testing

@testable import ManagedStore

/// Conflicts over to-one relationships, and what becomes of their inverses.
@Suite struct RelationshipConflictTests {
    /// A book of author "a", which its context has given to "b", and another context to "c".
    private func disputed(
        _ backend: Backend, _ policy: MergePolicy
    ) throws -> (ManagedObjectContext, Book, [Author], TestStore) {
        let store = try Library.store(backend)
        let context = store.context()
        context.mergePolicy = policy
        let authors = ["a", "b", "c"].map { Author($0, in: context) }
        let book = Book("1", in: context)
        book.author = authors[0]
        try context.save()
        #expect(authors.map(\.books.count) == [1, 0, 0])
        let other = store.context()
        let theirs = try #require(try other.existingObject(with: book.objectID) as? Book)
        theirs.author = try other.existingObject(with: authors[2].objectID) as? Author
        try other.save()
        book.author = authors[1]
        book.title = "2"
        return (context, book, authors, store)
    }

    @Test(arguments: Backend.allCases) func snapshotsShowWhereToOneRelationshipsLead(_ backend: Backend) throws {
        let (context, book, authors, store) = try disputed(backend, .error)
        let conflict = try #require(
            expectError(.mergeConflict) { try context.save() }?.conflicts.first { $0.objectID == book.objectID })
        #expect(conflict.objectSnapshot?["author"] == .objectID(authors[1].objectID))
        #expect(conflict.cachedSnapshot?["author"] == .objectID(authors[2].objectID))
        withExtendedLifetime(store) {}
    }

    @Test(
        arguments: Backend.allCases,
        [
            (MergePolicy.MergeType.mergeByPropertyStoreTrump, 2, "2"), (.rollback, 2, "1"),
            (.mergeByPropertyObjectTrump, 1, "2"), (.overwrite, 1, "2"),
        ])
    func theInversesFollowTheWinner(
        _ backend: Backend, _ expected: (policy: MergePolicy.MergeType, author: Int, title: String)
    ) throws {
        let (context, book, authors, store) = try disputed(backend, MergePolicy(expected.policy))
        try context.save()
        #expect(book.author === authors[expected.author] && book.title == expected.title)
        for (index, author) in authors.enumerated() {
            #expect(author.books == (index == expected.author ? [book] : []), "author \(index)")
        }
        let reader = store.context()
        let fresh = try #require(try reader.existingObject(with: book.objectID) as? Book)
        #expect(fresh.author?.objectID == authors[expected.author].objectID && fresh.title == expected.title)
        #expect(!context.hasChanges)
    }
}

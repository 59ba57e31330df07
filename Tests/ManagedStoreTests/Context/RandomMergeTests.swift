import Foundation
import TestSupport
import Testing

@testable import ManagedStore

/// Two contexts that edit the same lists at random: one saves while the other has unsaved changes, and merges them.
@Suite struct RandomMergeTests {
    private static let books = 3

    /// One of the two.
    private final class Editor {
        let context: ManagedObjectContext
        let recorder: DidSaveRecorder
        let books: [Book]

        init(_ context: ManagedObjectContext) throws {
            self.context = context
            recorder = DidSaveRecorder(context)
            books = try context.fetch(FetchRequest(Book.self, sortBy: [SortDescriptor(\.title, comparator: .lexical)]))
            context.mergePolicy = .mergeByPropertyObjectTrump
        }

        /// In the order of their titles, the unsaved ones among them.
        func chapters() throws -> [Chapter] {
            try context.fetch(FetchRequest(Chapter.self)).filter { !$0.isDeleted }.sorted { $0.title < $1.title }
        }

        /// The titles of each book's chapters, in their order.
        func lists() -> [[String]] { books.map { $0.chapters.map(\.title) } }

        func edit(_ step: Int, _ random: inout SeededGenerator) throws {
            let (book, chapters) = (random.pick(books), try chapters())
            guard !chapters.isEmpty else { return _ = Chapter("\(step)", in: context) }
            let chapter = random.pick(chapters)
            switch Int.random(in: 0..<9, using: &random) {
            case 0: Chapter("\(step)", in: context).book = book
            case 1: context.delete(chapter)
            case 2: chapter.book = book
            case 3: chapter.book = nil
            case 4: book.chapters = book.chapters.shuffled(using: &random)
            case 5: book.chapters = chapters.shuffled(using: &random).filter { _ in random.oneIn(3) }
            case 6: book.chapters.append(contentsOf: book.chapters.contains(chapter) ? [] : [chapter])
            case 7: if !chapter.isInserted { try context.refresh(chapter, mergeChanges: random.oneIn(2)) }
            // Read, so that the context knows it from now on.
            default: _ = book.chapters
            }
        }

        /// Whether both ends agree, and nothing is listed twice or after its deletion.
        func check(_ comment: Comment) throws {
            let chapters = try chapters()
            for book in books {
                let members = book.chapters
                #expect(Set(members).count == members.count, comment)
                #expect(Set(members) == Set(chapters.filter { $0.book === book }), comment)
            }
            context._checkInvariants()
        }

        /// Saves, and has the other merge that.
        func save(for other: Editor) throws {
            guard context.hasChanges else { return }
            try context.save()
            try other.context.mergeChanges(fromContextDidSave: try #require(recorder.messages.last))
        }
    }

    private func seed(_ store: TestStore, _ random: inout SeededGenerator) throws {
        let context = store.context()
        let books = (0..<Self.books).map { Book("\($0)", in: context) }
        for number in 0..<7 { Chapter("c\(number)", in: context).book = random.pick(books) }
        try context.save()
    }

    /// Each seed has found a fault.
    private static let seeds: [UInt64] = [16, 19, 24, 27, 45, 46, 50, 109, 149, 152, 326]

    @Test(arguments: Backend.allCases, seeds)
    func listsAgreeInAnyOrderOfEditsSavesAndMerges(_ backend: Backend, _ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let store = try Library.store(backend)
        try self.seed(store, &random)
        let editors = [try Editor(store.context()), try Editor(store.context())]
        for step in 0..<80 {
            let turn = Int.random(in: 0..<2, using: &random)
            let (own, other) = (editors[turn], editors[1 - turn])
            switch Int.random(in: 0..<12, using: &random) {
            case 0, 1: try own.save(for: other)
            case 2: own.context.rollback()
            case 3:
                try own.save(for: other)
                try other.save(for: own)
                let fresh = try Editor(store.context()).lists()
                #expect(own.lists() == fresh && other.lists() == fresh, "step \(step)")
            default: try own.edit(step, &random)
            }
            for editor in editors { try editor.check("seed \(seed), step \(step)") }
        }
    }
}

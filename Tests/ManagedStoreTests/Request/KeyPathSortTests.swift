import Foundation
import ManagedStore
import Testing

/// Orders by attributes of related objects.
@Suite struct KeyPathSortTests {
    /// Chapters "0", "1", ... of books whose authors have these names; of no book, or one of no author, where there is
    /// none.
    private func chapters(_ authors: [String?], in context: ManagedObjectContext) -> [Chapter] {
        authors.enumerated().map { number, name in
            let chapter = Chapter("\(number)", in: context)
            if name == nil, number % 2 == 0 { return chapter }
            let book = number % 2 == 0 ? Book("\(number)", in: context) : Atlas("\(number)", in: context)
            book.author = name.map { Author($0, in: context) }
            chapter.book = book
            return chapter
        }
    }

    private func request(_ sort: [FetchSortDescriptor]) -> FetchRequest<Chapter> {
        var request = FetchRequest(Chapter.self)
        request.sortDescriptors = sort
        return request
    }

    private static let byName = FetchSortDescriptor(key: "book.author.name")

    @Test(arguments: Backend.allCases, [true, false])
    func whereARelationshipLeadsNowhereTheValueIsMissing(_ backend: Backend, _ isSaved: Bool) throws {
        let context = try Library.store(backend).context()
        _ = chapters(["b", nil, "a", nil, "B", "a"], in: context)
        if isSaved { try context.save() }
        let titles = try context.fetch(request([Self.byName])).map(\.title)
        #expect(titles == ["1", "3", "4", "2", "5", "0"])
        let folded = FetchSortDescriptor(key: "book.author.name", ascending: false, options: .caseInsensitive)
        #expect(try context.fetch(request([folded])).map(\.title) == ["0", "4", "2", "5", "1", "3"])
    }

    @Test(arguments: Backend.allCases) func aKeyPathInSwiftIsFound(_ backend: Backend) throws {
        let context = try Library.store(backend).context()
        let made = chapters(["b", nil, "a"], in: context)
        made[0].book?.author?.mentor = Author("z", in: context)
        try context.save()
        let byName = SortDescriptor(\Chapter.book?.author?.name, order: .reverse)
        #expect(FetchSortDescriptor(byName).key == "book.author.name")
        let found = try context.fetch(FetchRequest(Chapter.self, sortBy: [byName, SortDescriptor(\.title)]))
        #expect(found.map(\.title) == ["0", "2", "1"])
        let byMentor = SortDescriptor(\Chapter.book?.author?.mentor?.name, comparator: .lexical)
        #expect(try context.fetch(FetchRequest(Chapter.self, sortBy: [byMentor])).map(\.title) == ["1", "2", "0"])
        #expect(FetchSortDescriptor(SortDescriptor(\Atlas.author?.name)).key == "author.name")
        #expect(FetchSortDescriptor(SortDescriptor(\Chapter.book!.title)).key == "book.title")
    }

    @Test func aPropertyThatMakesSomethingElseOfAKeyPathIsRefused() throws {
        let context = try Library.store(.inMemory).context()
        for sort in [SortDescriptor(\Chapter.bookTitleOrNone), SortDescriptor(\Chapter.loudBookTitle)] {
            expectError(.unknownKey) { try context.fetch(FetchRequest(Chapter.self, sortBy: [sort])) }
        }
    }

    @Test(
        arguments: [
            ("book.tags.name", .invalidRequest), ("book.author.nam", .unknownKey), ("book.writer.name", .unknownKey),
            ("title.length", .unknownKey), ("book.author", .unknownKey), ("book.", .unknownKey),
        ] as [(String, StoreError.Code)])
    func whatLeadsToManyOrNowhereIsRefused(_ key: String, _ code: StoreError.Code) throws {
        let context = try Library.store(.inMemory).context()
        let error = expectError(code) { try context.fetch(request([FetchSortDescriptor(key: key)])) }
        #expect(error?.message.contains("\"\(key)\"") == true && error?.key == key)
    }

    @Test(arguments: Backend.allCases) func dictionariesAreSortedByItAndHoldIt(_ backend: Backend) throws {
        let context = try Library.store(backend).context()
        let made = chapters(["b", nil, "a"], in: context)
        try context.save()
        var request = request([Self.byName])
        request.propertiesToFetch = ["title"]
        let titles = { try context.fetchDictionaries(request).map { try $0.value("title", as: String.self) } }
        #expect(try titles() == ["1", "2", "0"])
        request.propertiesToFetch = [.property("book.author.name", as: "author")]
        #expect(try context.fetchDictionaries(request).map { $0["author"] } == [.null, .string("a"), .string("b")])
        made[0].book?.author?.name = "0, unsaved"
        expectError(.invalidRequest) { try titles() }
        let child = try ManagedObjectContext(parent: context)
        let authors = try child.fetchDictionaries(request).map { $0["author"] }
        #expect(authors == [.null, .string("0, unsaved"), .string("a")])
        request.propertiesToGroupBy = ["title"]
        expectError(.invalidRequest) { try titles() }
    }

    @Test(arguments: Backend.allCases) func dictionariesAreSortedByTheObjectsOwnValueOfTheSameName(
        _ backend: Backend
    ) throws {
        let context = try Library.store(backend).context()
        for (title, book) in [("1", "a"), ("3", "b"), ("2", "c")] {
            Chapter(title, in: context).book = Book(book, in: context)
        }
        try context.save()
        var request = request([FetchSortDescriptor(key: "title")])
        for properties: [FetchExpression] in [["book.title"], ["title", "book.title"]] {
            request.propertiesToFetch = properties
            let titles = try context.fetchDictionaries(request).map { $0["book.title"] }
            #expect(titles == [.string("a"), .string("c"), .string("b")])
        }
    }

    @Test(arguments: Backend.allCases) func batchesDeleteTheFirstByIt(_ backend: Backend) throws {
        let context = try Library.store(backend).context()
        _ = chapters(["b", "c", "a"], in: context)
        try context.save()
        var first = request([Self.byName])
        first.fetchLimit = 2
        _ = try context.execute(BatchDeleteRequest(fetchRequest: first))
        #expect(try context.count(for: request([Self.byName])) == 1)
        context.reset()
        #expect(try context.fetch(request([])).map(\.title) == ["1"])
    }

    @Test(arguments: Backend.allCases) func anAsynchronousFetchMindsWhatChangedMeanwhile(_ backend: Backend)
        async throws
    {
        let store = try Library.store(backend)
        let seeding = store.context()
        _ = chapters(["b", "c", "a"], in: seeding)
        try seeding.save()
        let context = store.context(.privateQueue)
        let request = request([Self.byName])
        for isSaved in [false, true] {
            let titles = try await withCheckedThrowingContinuation { continuation in
                context.perform {
                    let asynchronous = AsynchronousFetchRequest(fetchRequest: request) { result in
                        continuation.resume(returning: result.finalResult?.map(\.title))
                    }
                    do {
                        try context.execute(asynchronous)
                        let author = try context.only(Author.self, "name", isSaved ? "b" : "c")
                        author?.name = isSaved ? "d" : "0"
                        if isSaved { try context.save() }
                    } catch {
                        continuation.resume(throwing: error)
                    }
                }
            }
            #expect(titles == ["1", "2", "0"])
        }
    }

    @Test func puttingUnsavedObjectsIntoTheOrderReadsTheOthersTogether() throws {
        let store = try Library.store(.sqlite)
        let seeding = store.context()
        _ = chapters((0..<300).map { "\($0 * 7 % 300)" }, in: seeding)
        try seeding.save()
        let context = store.context()
        let chapters = try context.fetch(FetchRequest(Chapter.self))
        for chapter in chapters { chapter.title += "!" }
        store.coordinator.resetStatistics()
        let found = try context.fetch(request([Self.byName]))
        #expect(found.count == 300 && store.statementCount < 12)
    }
}

extension Chapter {
    fileprivate var bookTitleOrNone: String { book?.title ?? "none" }
    fileprivate var loudBookTitle: String? { book.map { $0.title + "!" } }
}

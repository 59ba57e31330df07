import Foundation
import ManagedStore
import TestSupport
import Testing

/// Groups of objects by attributes of related objects.
@Suite struct KeyPathGroupTests {
    private static let author = "book.author.name"

    /// A chapter for each pair of a book's title and its author's name; of no book, or of one without an author, where
    /// there is none. No two chapters share a book or an author.
    private func context(_ backend: Backend, _ chapters: [(String?, String?)]) throws -> ManagedObjectContext {
        let context = try Library.store(backend).context()
        for (number, (title, name)) in chapters.enumerated() {
            let chapter = Chapter("\(number)", in: context)
            guard let title else { continue }
            let book = number % 2 == 0 ? Book(title, in: context) : Atlas(title, in: context)
            book.author = name.map { Author($0, in: context) }
            chapter.book = book
        }
        try context.save()
        return context
    }

    private static let chapters: [(String?, String?)] = [
        ("one", "b"), (nil, nil), ("one", "a"), ("two", nil), ("two", "b"), ("one", "b"),
    ]

    private func request(
        _ properties: [FetchExpression], by groups: [String], having: FetchPredicate? = nil,
        sort: [FetchSortDescriptor] = []
    ) -> FetchRequest<Chapter> {
        var request = FetchRequest(Chapter.self)
        request.propertiesToFetch = properties
        request.propertiesToGroupBy = groups
        request.havingPredicate = having
        request.sortDescriptors = sort
        return request
    }

    @Test(arguments: Backend.strictCases)
    func whereARelationshipLeadsNowhereTheValueIsMissing(_ backend: Backend) throws {
        let context = try context(backend, Self.chapters)
        let found = try context.fetchDictionaries(
            request([.property(Self.author), .count(as: "count"), .max("title", as: "last")], by: [Self.author]))
        #expect(
            found == [
                [Self.author: .null, "count": .integer64(2), "last": .string("3")],
                [Self.author: .string("a"), "count": .integer64(1), "last": .string("2")],
                [Self.author: .string("b"), "count": .integer64(3), "last": .string("5")],
            ])
    }

    @Test(arguments: Backend.strictCases) func itNeedNotBeFetchedAndMayHaveAnotherName(_ backend: Backend) throws {
        let context = try context(backend, Self.chapters)
        let counts = try context.fetchDictionaries(request([.count(as: "count")], by: [Self.author]))
        #expect(counts == [2, 1, 3].map { ["count": .integer64($0)] })
        let named: [FetchExpression] = [.property(Self.author, as: "author"), .count(as: "count")]
        for group in ["author", Self.author] {
            let found = try context.fetchDictionaries(request(named, by: [group]))
            #expect(found.map { $0["author"] } == [.null, .string("a"), .string("b")])
            #expect(found.map { $0["count"] } == counts.map { $0["count"] })
        }
    }

    @Test(arguments: Backend.strictCases) func itStandsBesideOtherKeys(_ backend: Backend) throws {
        let context = try context(backend, Self.chapters + [("two", "b")])
        let keys = ["book.title", Self.author]
        let found = try context.fetchDictionaries(request(keys.map { .property($0) } + [.count()], by: keys))
        let expected: [(StoredValue, StoredValue, Int64)] = [
            (.null, .null, 1), (.string("one"), .string("a"), 1), (.string("one"), .string("b"), 2),
            (.string("two"), .null, 1), (.string("two"), .string("b"), 2),
        ]
        #expect(
            found == expected.map { [keys[0]: $0.0, keys[1]: $0.1, "count": .integer64($0.2)] })
        // Beside a relationship, each book is a group of its own.
        #expect(
            try context.fetchDictionaries(request([.count()], by: ["book", Self.author])).allSatisfy {
                $0["count"] == .integer64(1)
            })
    }

    @Test(arguments: Backend.strictCases) func conditionsAndOrdersOfGroupsReadIt(_ backend: Backend) throws {
        let context = try context(backend, Self.chapters)
        func counts(_ having: FetchPredicate?, _ sort: FetchSortDescriptor...) throws -> [StoredValue?] {
            try context.fetchDictionaries(request([.count()], by: [Self.author], having: having, sort: sort))
                .map { $0["count"] }
        }
        #expect(try counts(!.isNil(Self.author)) == [.integer64(1), .integer64(3)])
        #expect(
            try counts(.isNil(Self.author) || .compare(Self.author, .equal, "a")) == [.integer64(2), .integer64(1)])
        #expect(try counts(.string(Self.author, .beginsWith, "b") && .compare("count", .greater, 1)) == [.integer64(3)])
        #expect(
            try counts(nil, FetchSortDescriptor(key: Self.author, ascending: false))
                == [.integer64(3), .integer64(1), .integer64(2)])
        #expect(
            try counts(!.isNil(Self.author), FetchSortDescriptor(key: "count", ascending: false))
                == [.integer64(3), .integer64(1)])
    }

    @Test(
        arguments: [
            (["book.tags.name"], nil, .invalidRequest), (["book.writer"], nil, .unknownKey),
            (["book.author"], nil, .unknownKey), (["book.title"], "book.author.name", .invalidRequest),
        ] as [([String], String?, StoreError.Code)])
    func whatLeadsToManyOrIsNotGroupedByIsRefused(groups: [String], read key: String?, code: StoreError.Code) throws {
        for backend in [Backend.sqlite, .inMemory] {
            let context = try Library.store(backend).context()
            var request = request([.count()], by: groups)
            if let key { request.propertiesToFetch.append(.property(key)) }
            let error = expectError(code) { try context.fetchDictionaries(request) }
            #expect(error?.message.contains(key ?? groups[0]) == true)
            guard let key else { continue }
            request.propertiesToFetch = [.count()]
            request.sortDescriptors = [FetchSortDescriptor(key: key)]
            expectError(code) { try context.fetchDictionaries(request) }
            (request.sortDescriptors, request.havingPredicate) = ([], .isNil(key))
            expectError(code) { try context.fetchDictionaries(request) }
        }
    }

    @Test(arguments: Backend.strictCases) func unsavedChangesOfItAreRefused(_ backend: Backend) throws {
        let context = try context(backend, Self.chapters)
        let request = request([.count()], by: [Self.author])
        let author = try #require(try context.fetch(FetchRequest(Author.self)).first { $0.name == "a" })
        author.name = "b"
        expectError(.invalidRequest) { try context.fetchDictionaries(request) }
        let child = try ManagedObjectContext(parent: context)
        #expect(try child.fetchDictionaries(request).map { $0["count"] } == [.integer64(2), .integer64(4)])
        try context.save()
        #expect(try context.fetchDictionaries(request).map { $0["count"] } == [.integer64(2), .integer64(4)])
    }

    @Test(arguments: Backend.strictCases, Array(1...4) as [UInt64])
    func groupsAreThoseOfADictionary(_ backend: Backend, _ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let context = try Library.store(backend).context()
        let texts = ["a", "A", "b", "ab", ""]
        let authors = (0..<6).map { _ in Author(random.pick(texts), in: context) }
        let books = (0..<12).map { number in
            let book = number % 3 == 0 ? Atlas(random.pick(texts), in: context) : Book(random.pick(texts), in: context)
            book.author = random.oneIn(4) ? nil : random.pick(authors)
            return book
        }
        for _ in 0..<60 {
            Chapter(random.pick(texts), in: context).book = random.oneIn(6) ? nil : random.pick(books)
        }
        try context.save()
        let values: [String: (Chapter) -> String?] = [
            "title": { $0.title }, "book.title": { $0.book?.title }, Self.author: { $0.book?.author?.name },
        ]
        let chapters = try context.fetch(FetchRequest(Chapter.self))
        for _ in 0..<12 {
            let keys = values.keys.sorted().filter { _ in random.oneIn(2) }
            if keys.isEmpty { continue }
            var request = request(keys.map { .property($0) } + [.count()], by: keys)
            let excluded = random.oneIn(2) ? random.pick(texts) : nil
            request.predicate = excluded.map { .compare("title", .notEqual, $0) }
            let groups = Dictionary(grouping: chapters.filter { $0.title != excluded }) { chapter in
                keys.map { values[$0]?(chapter) }
            }
            let found = try context.fetchDictionaries(request)
            #expect(found.count == groups.count)
            for record in found {
                let key = try keys.map { try record.value($0, as: String?.self) }
                #expect(record["count"] == groups[key].map { .integer64(Int64($0.count)) }, "\(key)")
            }
        }
    }
}

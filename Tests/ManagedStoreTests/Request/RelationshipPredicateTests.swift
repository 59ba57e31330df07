import Foundation
import TestSupport
import Testing

@testable import ManagedStore

@Suite struct RelationshipPredicateTests {
    /// Three authors: a with books 1 (chapters x, y; tag t) and 2; b with 3 (tag t); c with none. Book 4 has no author.
    private func library(_ backend: Backend) throws -> (TestStore, ManagedObjectContext) {
        let store = try Library.store(backend)
        let context = store.context()
        let authors = ["a", "b", "c"].map { Author($0, in: context) }
        let books = ["1", "2", "3", "4"].map { Book($0, in: context) }
        authors[0].books = [books[0], books[1]]
        authors[1].books = [books[2]]
        authors[1].mentor = authors[0]
        books[0].chapters = [Chapter("x", in: context), Chapter("y", in: context)]
        let tag = Tag("t", in: context)
        tag.books = [books[0], books[2]]
        try context.save()
        return (store, context)
    }

    private func books(_ predicate: FetchPredicate, _ context: ManagedObjectContext) throws -> [String] {
        try context.fetch(FetchRequest(Book.self, sortBy: [SortDescriptor(\.title)], predicate: predicate)).map(\.title)
    }

    private func authors(_ predicate: FetchPredicate, _ context: ManagedObjectContext) throws -> [String] {
        try context.fetch(FetchRequest(Author.self, sortBy: [SortDescriptor(\.name)], predicate: predicate)).map(\.name)
    }

    @Test(arguments: Backend.strictCases) func aChildMindsWhatIsUnsavedInItsParent(_ backend: Backend) throws {
        let context = try Library.store(backend).context()
        let book = Book("Orlando", in: context)
        book.author = Author("Woolf", in: context)
        try context.save()
        book.author?.name = "Stephen"
        let child = try ManagedObjectContext(parent: context)
        let found = { (name: String) in
            try child.count(for: FetchRequest(Book.self, predicate: .compare("author.name", .equal, name)))
        }
        #expect(try found("Stephen") == 1 && found("Woolf") == 0)
    }

    @Test(arguments: Backend.strictCases) func aKeyReachesThroughToOneRelationships(_ backend: Backend) throws {
        let (store, _) = try library(backend)
        let context = store.context()
        #expect(try books(.compare("author.name", .equal, "a"), context) == ["1", "2"])
        #expect(try books(.compare("author.name", .notEqual, "a"), context) == ["3", "4"])
        #expect(try books(.isNil("author.name"), context) == ["4"])
        #expect(try books(.compare("author.mentor.name", .equal, "a"), context) == ["3"])
        #expect(try books(.string("author.name", .beginsWith, "B", .caseInsensitive), context) == ["3"])
        #expect(try books(.in("author.name", ["b", "c"]), context) == ["3"])
        #expect(try books(!.compare("author.name", .equal, "a"), context) == ["3", "4"])
        let chapters = try context.fetch(
            FetchRequest(Chapter.self, predicate: .compare("book.author.name", .equal, "a")))
        #expect(chapters.count == 2)
    }

    /// In their rows an attribute of their own stands where the superentity's rows have the first relationship.
    @Test(arguments: Backend.strictCases, [true, false])
    func objectsOfSubentitiesAreHeldAgainstTheirOwnRelationships(_ backend: Backend, _ isSaved: Bool) throws {
        let context = try Library.store(backend).context()
        let (author, tag) = (Author("a", in: context), Tag("t", in: context))
        try context.save()
        let controller = FetchedResultsController(
            fetchRequest: FetchRequest(
                Book.self, sortBy: [SortDescriptor(\.title)],
                predicate: .compare("author", .equal, stored: .objectID(author.objectID))),
            managedObjectContext: context)
        try controller.performFetch()
        let changes = controller.changes
        let atlases = ["1", "2"].map { Atlas($0, in: context) }
        atlases[0].author = author
        tag.books = atlases
        if isSaved { try context.save() }
        context.processPendingChanges()
        let byAuthor = FetchPredicate.compare("author", .equal, stored: .objectID(author.objectID))
        #expect(try books(byAuthor, context) == ["1"])
        #expect(try books(.isNil("author"), context) == ["2"])
        #expect(try authors(.any("books", byAuthor), context) == ["a"])
        #expect(try authors(.any("books", .isNil("author")), context) == [])
        let tags = FetchRequest(Tag.self, predicate: .all("books", byAuthor))
        #expect(try context.count(for: tags) == 0)
        withExtendedLifetime(changes) { #expect(controller.fetchedObjects?.map(\.title) == ["1"]) }
    }

    @Test(arguments: Backend.strictCases) func anyAllAndNoneOfAToMany(_ backend: Backend) throws {
        let (store, _) = try library(backend)
        let context = store.context()
        let first = FetchPredicate.compare("title", .lessOrEqual, "1")
        #expect(try authors(.any("books", first), context) == ["a"])
        #expect(try authors(.all("books", first), context) == ["c"])
        #expect(try authors(.none("books", first), context) == ["b", "c"])
        #expect(try authors(.any("books", .any("tags", .compare("name", .equal, "t"))), context) == ["a", "b"])
        #expect(try authors(.any("books", .any("chapters", .compare("title", .equal, "y"))), context) == ["a"])
        #expect(try authors(.any("pupils", .compare("name", .equal, "b")), context) == ["a"])
        #expect(try authors(.any("mentor.books", first), context) == ["b"])
        #expect(try authors(.all("mentor.books", first), context) == ["a", "c"])
    }

    @Test(arguments: Backend.strictCases) func countsOfAToMany(_ backend: Backend) throws {
        let (store, _) = try library(backend)
        let context = store.context()
        #expect(try authors(.count("books", .greater, 1), context) == ["a"])
        #expect(try authors(.count("books", .equal, 0), context) == ["c"])
        #expect(try books(.count("tags", .equal, 1) && .count("chapters", .equal, 0), context) == ["3"])
        #expect(try authors(.count("mentor.books", .lessOrEqual, 1), context) == ["a", "c"])
    }

    @Test(arguments: Backend.strictCases) func theMacroSaysTheSame(_ backend: Backend) throws {
        let (store, _) = try library(backend)
        let context = store.context()
        #expect(try books(FetchPredicate(#Predicate<Book> { $0.author?.name == "a" }), context) == ["1", "2"])
        #expect(try books(FetchPredicate(#Predicate<Book> { $0.author?.mentor?.name == "a" }), context) == ["3"])
        #expect(try books(FetchPredicate(#Predicate<Book> { $0.author == nil }), context) == ["4"])
        #expect(try books(FetchPredicate(#Predicate<Book> { $0.tags.isEmpty }), context) == ["2", "4"])
        #expect(try books(FetchPredicate(#Predicate<Book> { $0.chapters.count == 2 }), context) == ["1"])
        #expect(
            try authors(FetchPredicate(#Predicate<Author> { $0.books.contains { $0.title == "3" } }), context) == ["b"])
        #expect(
            try authors(FetchPredicate(#Predicate<Author> { $0.books.allSatisfy { $0.title == "3" } }), context) == [
                "b", "c",
            ])
        #expect(
            try authors(
                FetchPredicate(#Predicate<Author> { $0.books.contains { $0.tags.contains { $0.name == "t" } } }),
                context)
                == ["a", "b"])
        let inherited = FetchPredicate(#Predicate<Atlas> { $0.author?.name == "a" && $0.tags.isEmpty })
        #expect(try context.fetch(FetchRequest(Atlas.self, predicate: inherited)).isEmpty)
    }

    /// What follows `?.` is nil without an author, and nil equals neither false nor true nor 0.
    @Test(arguments: Backend.strictCases) func theMacroTellsNilFromFalse(_ backend: Backend) throws {
        let context = try library(backend).0.context()
        func found(_ predicate: Predicate<Book>) throws -> [String] { try books(FetchPredicate(predicate), context) }
        #expect(try found(#Predicate { $0.author?.name.contains("a") == true }) == ["1", "2"])
        #expect(try found(#Predicate { $0.author?.name.contains("a") == false }) == ["3"])
        #expect(try found(#Predicate { $0.author?.name.contains("a") != true }) == ["3", "4"])
        #expect(try found(#Predicate { $0.author?.name.contains("a") != false }) == ["1", "2", "4"])
        #expect(try found(#Predicate { $0.author?.name.contains("a") == nil }) == ["4"])
        #expect(try found(#Predicate { $0.author?.pupils.isEmpty == true }) == ["3"])
        #expect(try found(#Predicate { $0.author?.pupils.count == 0 }) == ["3"])
        #expect(try found(#Predicate { $0.author?.pupils.count != 1 }) == ["3", "4"])
        #expect(try found(#Predicate { $0.author?.pupils.count != nil }) == ["1", "2", "3"])
        #expect(try found(#Predicate { $0.author?.mentor?.name.contains("a") == false }).isEmpty)
        #expect(try found(#Predicate { $0.author?.mentor?.name.contains("b") == false }) == ["3"])
    }

    /// Keys are numbers, and objects of other entities and stores have the same ones.
    @Test(arguments: Backend.strictCases) func anIDOfAnotherEntityOrStoreIsNoRelatedObject(_ backend: Backend) throws {
        let (store, _) = try library(backend)
        let context = store.context()
        let author = try #require(try context.only(Author.self, "name", "a")).objectID
        let tag = try #require(try context.only(Tag.self, "name", "t")).objectID
        let foreign = try #require(try library(.inMemory).1.only(Author.self, "name", "a")).objectID
        #expect(try books(.compare("author", .equal, author), context) == ["1", "2"])
        for other in [tag, foreign] {
            #expect(try books(.compare("author", .equal, other), context).isEmpty)
            #expect(try books(.in("author", stored: [.objectID(other)]), context).isEmpty)
            let unsaved = Book("unsaved", in: context)
            unsaved.author = try context.only(Author.self, "name", "a")
            #expect(try books(.compare("author", .equal, other), context).isEmpty)
            context.delete(unsaved)
        }
        #expect(try books(.in("author", stored: [.objectID(author), .objectID(foreign)]), context) == ["1", "2"])
    }

    /// The entities of a hierarchy share a table, and have rows of different layouts.
    @Test(arguments: Backend.strictCases) func objectsOfSiblingsAreNotRelated(_ backend: Backend) throws {
        let folder = EntityDescription(
            name: "Folder", attributes: [] as [AttributeDescription],
            relationships: [RelationshipDescription("files", to: "File", inverse: "folder", isToMany: true)])
        let entry = EntityDescription(name: "Entry", attributes: [AttributeDescription("name", .string)])
        let size = EntityDescription(
            name: "Size", attributes: [AttributeDescription("bytes", .integer64)], superentity: entry)
        let file = EntityDescription(
            name: "File", attributes: [] as [AttributeDescription],
            relationships: [RelationshipDescription("folder", to: "Folder", inverse: "files")], superentity: entry)
        let store = try TestStore(backend, model: try ManagedObjectModel(entities: [folder, entry, size, file]))
        let context = store.context()
        let made = try EntityDescription.insertNewObject(forEntityName: "Folder", into: context)
        try context.obtainPermanentIDs(for: [made])
        for name in ["Size", "Entry"] {
            let object = try EntityDescription.insertNewObject(forEntityName: name, into: context)
            try object.setValue(name, forKey: "name")
            // Where a file has its folder, a size has its number.
            if name == "Size" { try object.setValue(made.objectID.primaryKey, forKey: "bytes") }
        }
        try context.save()
        let found = try store.context().count(
            for: FetchRequest(entityName: "Folder", predicate: .count("files", .equal, 0)))
        #expect(found == 1)
    }

    @Test(arguments: Backend.strictCases) func unsavedChangesOfRelatedObjectsCount(_ backend: Backend) throws {
        let (store, _) = try library(backend)
        let context = store.context()
        let author = try #require(try context.only(Author.self, "name", "a"))
        let third = try #require(try context.only(Book.self, "title", "3"))
        author.name = "z"
        #expect(try books(.compare("author.name", .equal, "a"), context).isEmpty)
        #expect(try books(.compare("author.name", .equal, "z"), context) == ["1", "2"])
        third.author = author
        #expect(try books(.compare("author.name", .equal, "z"), context) == ["1", "2", "3"])
        #expect(try authors(.count("books", .equal, 3), context) == ["z"])
        #expect(try authors(.any("books", .compare("title", .equal, "3")), context) == ["z"])
        third.tags = []
        #expect(try authors(.any("books", .any("tags", .compare("name", .equal, "t"))), context) == ["z"])
        let fourth = try #require(try context.only(Book.self, "title", "4"))
        fourth.tags.insert(try #require(try context.only(Tag.self, "name", "t")))
        #expect(try books(.any("tags", .compare("name", .equal, "t")), context) == ["1", "4"])
        context.delete(try #require(try context.only(Tag.self, "name", "t")))
        #expect(try books(.any("tags", .compare("name", .equal, "t")), context).isEmpty)
    }

    @Test func wrongKeysAreNamed() throws {
        let (_, context) = try library(.inMemory)
        func message(_ predicate: FetchPredicate) -> String {
            do {
                _ = try books(predicate, context)
                return "no error"
            } catch {
                return "\(error)"
            }
        }
        #expect(message(.compare("author.nme", .equal, "a")).contains("entity Author has no attribute \"nme\""))
        #expect(message(.compare("title.name", .equal, "a")).contains("Book.title is an attribute"))
        #expect(message(.compare("tags.name", .equal, "a")).contains("any, all or none"))
        #expect(message(.any("author", .compare("name", .equal, "a"))).contains("leads to one object"))
        #expect(message(.count("title", .equal, 1)).contains("is an attribute"))
    }

    /// The store's answer, and that of a context that holds the same unsaved, for random conditions over random
    /// libraries.
    @Test(arguments: Array(1...10) as [UInt64]) func sqlAndMemoryAgree(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let stores = try Backend.strictCases.map { try Library.store($0) }
        let contexts = stores.map { $0.context() }
        let unsaved = try Library.store(.sqlite).context()
        for context in contexts + [unsaved] {
            var same = random
            fill(context, &same)
        }
        for context in contexts { try context.save() }
        let fresh = stores.map { $0.context() }
        for _ in 0..<60 {
            let predicate = self.predicate("Book", depth: 3, &random)
            let expected = try books(predicate, unsaved)
            for (context, backend) in zip(fresh, Backend.strictCases) {
                #expect(try books(predicate, context) == expected, "\(backend): \(predicate)")
            }
        }
    }

    private func fill(_ context: ManagedObjectContext, _ random: inout SeededGenerator) {
        let names = ["a", "b", "ab"]
        let authors = (0..<4).map { _ in Author(random.pick(names), in: context) }
        let tags = (0..<3).map { _ in Tag(random.pick(names), in: context) }
        for author in authors where random.oneIn(2) { author.mentor = random.pick(authors) }
        for index in 0..<12 {
            let book = random.oneIn(3) ? Atlas("\(index)", in: context) : Book("\(index)", in: context)
            if !random.oneIn(4) { book.author = random.pick(authors) }
            for tag in tags where random.oneIn(3) { book.add(tag, to: Book.tags) }
            for _ in 0..<Int.random(in: 0..<3, using: &random) {
                book.add(Chapter(random.pick(names), in: context), to: Book.chapters)
            }
            if random.oneIn(3) { book.cover = Cover(random.pick(names), in: context) }
        }
    }

    private static let toOnes = ["Book": [("author", "Author"), ("cover", "Cover")], "Author": [("mentor", "Author")]]
    private static let toManys = [
        "Book": [("tags", "Tag"), ("chapters", "Chapter")], "Author": [("books", "Book"), ("pupils", "Author")],
        "Tag": [("books", "Book")],
    ]
    private static let texts = [
        "Book": "title", "Author": "name", "Tag": "name", "Chapter": "title", "Cover": "colour",
    ]

    private func predicate(_ entity: String, depth: Int, _ random: inout SeededGenerator) -> FetchPredicate {
        let kind = depth > 0 ? Int.random(in: 0..<7, using: &random) : 6
        switch kind {
        case 0: return predicate(entity, depth: depth - 1, &random) && predicate(entity, depth: depth - 1, &random)
        case 1: return predicate(entity, depth: depth - 1, &random) || predicate(entity, depth: depth - 1, &random)
        case 2: return !predicate(entity, depth: depth - 1, &random)
        case 3, 4:
            guard let (key, destination) = Self.toManys[entity].map({ random.pick($0) }) else { break }
            if random.oneIn(3) {
                let comparison = random.pick(FetchPredicate.Comparison.allCases)
                return .count(key, comparison, Int.random(in: 0..<4, using: &random))
            }
            let inner = predicate(destination, depth: depth - 1, &random)
            return random.pick([FetchPredicate.any(key, inner), .all(key, inner), .none(key, inner)])
        default: break
        }
        return leaf(entity, &random)
    }

    private func leaf(_ entity: String, _ random: inout SeededGenerator) -> FetchPredicate {
        var (entity, path) = (entity, "")
        while let (key, destination) = Self.toOnes[entity].map({ random.pick($0) }), random.oneIn(2) {
            (entity, path) = (destination, path + key + ".")
        }
        let key = path + (Self.texts[entity] ?? "")
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return .isNil(key)
        case 1: return .string(key, .contains, random.pick(["a", "b", "1"]))
        case 2: return .in(key, ["a", "1", "2"])
        default:
            return .compare(key, random.pick(FetchPredicate.Comparison.allCases), random.pick(["a", "b", "ab", "5"]))
        }
    }
}

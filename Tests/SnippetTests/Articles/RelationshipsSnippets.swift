import Foundation
import ManagedStore
import Testing

/// Relationships.md.
@Suite struct RelationshipsSnippets {
    // snippet.Relationships.model
    // swift-format-ignore
    final class Folder: ManagedObject {
        static let name = Attribute("name", \Folder.name)
        static let items = Relationship("items", \Folder.items, inverse: "folder", deleteRule: .cascade)
        override class var attributes: [any AttributeKey] { [name] }
        override class var relationships: [any RelationshipKey] { [items] }

        var name: String { get { self[Folder.name] } set { self[Folder.name] = newValue } }
        var items: Set<Item> { get { self[Folder.items] } set { self[Folder.items] = newValue } }
    }

    // swift-format-ignore
    final class Item: ManagedObject {
        static let name = Attribute("name", \Item.name)
        static let folder = Relationship("folder", \Item.folder, inverse: "items")
        override class var attributes: [any AttributeKey] { [name] }
        override class var relationships: [any RelationshipKey] { [folder] }

        var name: String { get { self[Item.name] } set { self[Item.name] = newValue } }
        var folder: Folder? { get { self[Item.folder] } set { self[Item.folder] = newValue } }
    }
    // snippet.end

    @Test func bothEnds() throws {
        let context = try SnippetStore(ManagedObjectModel(Folder.self, Item.self)).context()
        // snippet.Relationships.use
        let folder = Folder(context: context)
        folder.name = "Groceries"
        let item = Item(context: context)
        item.name = "Milk"
        item.folder = folder  // and folder.items contains it
        try context.save()

        context.delete(folder)  // cascades: the item goes as well
        try context.save()
        // snippet.end
        #expect(try context.count(for: FetchRequest(Item.self)) == 0)
    }

    @Test func prefetching() throws {
        let context = try SnippetStore(ManagedObjectModel(Folder.self, Item.self)).context()
        for name in ["Calls", "Groceries"] {
            let folder = Folder(context: context)
            folder.name = name
            let item = Item(context: context)
            item.name = "Milk"
            folder.items = [item]
        }
        try context.save()
        context.reset()
        var printed: [String] = []
        func print(_ name: String, _ count: Int) { printed.append("\(name) \(count)") }
        // snippet.Fetching.prefetching
        var request = FetchRequest(Folder.self, sortBy: [SortDescriptor(\.name)])
        request.relationshipKeyPathsForPrefetching = ["items"]
        for folder in try context.fetch(request) {  // reads the folders, then all their items
            print(folder.name, folder.items.count)  // reads nothing
        }
        // snippet.end
        #expect(printed == ["Calls 1", "Groceries 1"])
    }

    @Test func orders() throws {
        let context = try SnippetStore(ManagedObjectModel(Folder.self, Item.self)).context()
        for (name, folder) in [("Milk", "Groceries"), ("Ada", "Calls"), ("Nothing", nil)] {
            let item = Item(context: context)
            item.name = name
            item.folder = folder.map { _ in Folder(context: context) }
            folder.map { item.folder?.name = $0 }
        }
        // snippet.Fetching.through
        let byFolder = SortDescriptor(\Item.folder?.name)  // or FetchSortDescriptor(key: "folder.name")
        let items = try context.fetch(FetchRequest(Item.self, sortBy: [byFolder, SortDescriptor(\.name)]))
        // snippet.end
        #expect(items.map(\.name) == ["Nothing", "Ada", "Milk"])
    }

    @Test func adding() throws {
        let context = try SnippetStore(ManagedObjectModel(Folder.self, Item.self)).context()
        let (folder, item) = (Folder(context: context), Item(context: context))
        folder.name = "Groceries"
        item.name = "Milk"
        // snippet.Faults.value
        let name = try item.value(of: Item.name)
        let items = try folder.value(of: Folder.items)
        // snippet.end
        #expect(name == "Milk" && items.isEmpty)
        // snippet.Relationships.add
        folder.add(item, to: Folder.items)
        folder.remove(item, from: Folder.items)
        // snippet.end
        #expect(folder.items.isEmpty && item.folder == nil)
        item.folder = folder
        try context.save()
        // snippet.Relationships.array
        for item in folder.objects(of: Folder.items) { item.name = item.name.uppercased() }
        // snippet.end

        // snippet.Relationships.ids
        let ids = try folder.objectIDs(forRelationshipNamed: "items")
        // snippet.end
        #expect(ids == [item.objectID])
    }

    @Test func predicates() throws {
        let context = try SnippetStore(ManagedObjectModel(Folder.self, Item.self)).context()
        let (folder, item) = (Folder(context: context), Item(context: context))
        folder.name = "Groceries"
        item.name = "Milk"
        item.folder = folder
        try context.save()
        // snippet.Relationships.predicate
        let request = FetchRequest(Item.self, predicate: .compare("folder", .equal, folder.objectID))
        let items = try context.fetch(request)
        // snippet.end
        #expect(items == [item])
        // snippet.Relationships.through
        let groceries = FetchRequest(Item.self, predicate: .compare("folder.name", .equal, "Groceries"))
        let full = FetchRequest(Folder.self, predicate: .count("items", .greater, 99) || .any("items", .isNil("name")))
        // snippet.end
        #expect(try context.count(for: groceries) == 1 && context.count(for: full) == 0)
    }
}

/// The kinds of relationships.
@Suite struct RelationshipKindsSnippets {
    // snippet.Relationships.kinds
    // swift-format-ignore
    final class Author: ManagedObject {
        static let books = Relationship("books", \Author.books, inverse: "author")
        override class var relationships: [any RelationshipKey] { [books] }

        var books: Set<Book> { get { self[Author.books] } set { self[Author.books] = newValue } }
    }

    // swift-format-ignore
    final class Book: ManagedObject {
        static let author = Relationship("author", \Book.author, inverse: "books", isOptional: false)
        static let tags = Relationship("tags", \Book.tags, inverse: "books", maxCount: 5)
        static let chapters = Relationship("chapters", \Book.chapters, inverse: "book", deleteRule: .cascade)
        override class var relationships: [any RelationshipKey] { [author, tags, chapters] }

        var author: Author? { get { self[Book.author] } set { self[Book.author] = newValue } }
        var tags: Set<Tag> { get { self[Book.tags] } set { self[Book.tags] = newValue } }
        var chapters: [Chapter] { get { self[Book.chapters] } set { self[Book.chapters] = newValue } }
    }

    // swift-format-ignore
    final class Tag: ManagedObject {
        static let books = Relationship("books", \Tag.books, inverse: "tags")
        override class var relationships: [any RelationshipKey] { [books] }

        var books: Set<Book> { get { self[Tag.books] } set { self[Tag.books] = newValue } }
    }

    // swift-format-ignore
    final class Chapter: ManagedObject {
        static let book = Relationship("book", \Chapter.book, inverse: "chapters")
        override class var relationships: [any RelationshipKey] { [book] }

        var book: Book? { get { self[Chapter.book] } set { self[Chapter.book] = newValue } }
    }
    // snippet.end

    @Test func kinds() throws {
        let model = try ManagedObjectModel(Author.self, Book.self, Tag.self, Chapter.self)
        let context = try SnippetStore(model).context()
        let (author, book, tag) = (Author(context: context), Book(context: context), Tag(context: context))
        book.author = author
        book.tags = [tag]
        let chapters = (0..<3).map { _ in Chapter(context: context) }
        book.chapters = chapters.reversed()
        try context.save()
        #expect(author.books == [book] && tag.books == [book] && book.chapters == chapters.reversed())
    }
}

/// Inheritance.
@Suite struct InheritanceSnippets {
    // snippet.Relationships.inheritance
    // swift-format-ignore
    class Task: ManagedObject {
        static let name = Attribute("name", \Task.name)
        override class var attributes: [any AttributeKey] { [name] }

        var name: String { get { self[Task.name] } set { self[Task.name] = newValue } }
    }

    // swift-format-ignore
    final class Appointment: Task {
        static let place = Attribute("place", \Appointment.place)
        override class var attributes: [any AttributeKey] { [place] }

        var place: String? { get { self[Appointment.place] } set { self[Appointment.place] = newValue } }
    }
    // snippet.end

    @Test func inheritance() throws {
        // snippet.Relationships.inheritance.use
        let model = try ManagedObjectModel(Task.self, Appointment.self)
        // snippet.end
        let context = try SnippetStore(model).context()
        Appointment(context: context).name = "Dentist"
        try context.save()
        // snippet.Relationships.inheritance.fetch
        var request = FetchRequest(Task.self)
        let all = try context.fetch(request)  // appointments too, as instances of their class
        request.includesSubentities = false
        let tasks = try context.fetch(request)  // tasks that are nothing more
        // snippet.end
        #expect(all.first is Appointment && tasks.isEmpty)
    }
}

import Foundation

@testable import ManagedStore

/// Entities that are related in every way there is.
final class Author: ManagedObject {
    static let name = Attribute("name", \Author.name)
    static let books = Relationship("books", \Author.books, inverse: "author")
    static let mentor = Relationship("mentor", \Author.mentor, inverse: "pupils")
    static let pupils = Relationship("pupils", \Author.pupils, inverse: "mentor")
    static let friends = Relationship("friends", \Author.friends, inverse: "friends")
    override class var attributes: [any AttributeKey] { [name] }
    override class var relationships: [any RelationshipKey] { [books, mentor, pupils, friends] }

    var name: String {
        get { self[Author.name] }
        set { self[Author.name] = newValue }
    }
    var books: Set<Book> {
        get { self[Author.books] }
        set { self[Author.books] = newValue }
    }
    var mentor: Author? {
        get { self[Author.mentor] }
        set { self[Author.mentor] = newValue }
    }
    var pupils: Set<Author> {
        get { self[Author.pupils] }
        set { self[Author.pupils] = newValue }
    }
    var friends: Set<Author> {
        get { self[Author.friends] }
        set { self[Author.friends] = newValue }
    }
}

class Book: ManagedObject {
    static let title = Attribute("title", \Book.title)
    static let author = Relationship("author", \Book.author, inverse: "books")
    static let tags = Relationship("tags", \Book.tags, inverse: "books")
    static let chapters = Relationship("chapters", \Book.chapters, inverse: "book", deleteRule: .cascade)
    static let cover = Relationship("cover", \Book.cover, inverse: "book", deleteRule: .cascade)
    override class var attributes: [any AttributeKey] { [title] }
    override class var relationships: [any RelationshipKey] { [author, tags, chapters, cover] }

    var title: String {
        get { self[Book.title] }
        set { self[Book.title] = newValue }
    }
    var author: Author? {
        get { self[Book.author] }
        set { self[Book.author] = newValue }
    }
    var tags: Set<Tag> {
        get { self[Book.tags] }
        set { self[Book.tags] = newValue }
    }
    var chapters: [Chapter] {
        get { self[Book.chapters] }
        set { self[Book.chapters] = newValue }
    }
    var cover: Cover? {
        get { self[Book.cover] }
        set { self[Book.cover] = newValue }
    }
}

/// Inherits a book's relationships.
final class Atlas: Book {
    static let scale = Attribute("scale", \Atlas.scale, default: 1)
    override class var attributes: [any AttributeKey] { [scale] }

    var scale: Int64 {
        get { self[Atlas.scale] }
        set { self[Atlas.scale] = newValue }
    }
}

final class Tag: ManagedObject {
    static let name = Attribute("name", \Tag.name)
    /// In an order of their own.
    static let books = Relationship("books", \Tag.books, inverse: "tags")
    override class var attributes: [any AttributeKey] { [name] }
    override class var relationships: [any RelationshipKey] { [books] }

    var name: String {
        get { self[Tag.name] }
        set { self[Tag.name] = newValue }
    }
    var books: [Book] {
        get { self[Tag.books] }
        set { self[Tag.books] = newValue }
    }
}

final class Chapter: ManagedObject {
    static let title = Attribute("title", \Chapter.title)
    static let book = Relationship("book", \Chapter.book, inverse: "chapters")
    override class var attributes: [any AttributeKey] { [title] }
    override class var relationships: [any RelationshipKey] { [book] }

    var title: String {
        get { self[Chapter.title] }
        set { self[Chapter.title] = newValue }
    }
    var book: Book? {
        get { self[Chapter.book] }
        set { self[Chapter.book] = newValue }
    }
}

final class Cover: ManagedObject {
    static let colour = Attribute("colour", \Cover.colour)
    static let book = Relationship("book", \Cover.book, inverse: "cover")
    override class var attributes: [any AttributeKey] { [colour] }
    override class var relationships: [any RelationshipKey] { [book] }

    var colour: String {
        get { self[Cover.colour] }
        set { self[Cover.colour] = newValue }
    }
    var book: Book? {
        get { self[Cover.book] }
        set { self[Cover.book] = newValue }
    }
}

enum Library {
    static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel(Author.self, Book.self, Atlas.self, Tag.self, Chapter.self, Cover.self)
    }

    static func store(_ backend: Backend) throws -> TestStore { try TestStore(backend, model: try model()) }
}

extension Author {
    convenience init(_ name: String, in context: ManagedObjectContext) {
        self.init(context: context)
        self.name = name
    }
}

extension Book {
    convenience init(_ title: String, in context: ManagedObjectContext) {
        self.init(context: context)
        self.title = title
    }
}

extension Tag {
    convenience init(_ name: String, in context: ManagedObjectContext) {
        self.init(context: context)
        self.name = name
    }
}

extension Chapter {
    convenience init(_ title: String, in context: ManagedObjectContext) {
        self.init(context: context)
        self.title = title
    }
}

extension Cover {
    convenience init(_ colour: String, in context: ManagedObjectContext) {
        self.init(context: context)
        self.colour = colour
    }
}

extension ManagedObjectContext {
    /// The only object of a class with a given value.
    func only<Object: ManagedObject>(_ type: Object.Type, _ key: String, _ value: String) throws -> Object? {
        try fetch(FetchRequest(type, predicate: .compare(key, .equal, value))).first
    }
}

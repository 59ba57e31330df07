import Foundation
import TestSupport
import Testing

@testable import ManagedStore

/// A copy of a file that Apple's Core Data wrote itself.
struct AppleFile: FileFixture {
    let directory: TemporaryDirectory
    let url: URL

    init(_ name: String) throws {
        directory = try TemporaryDirectory(isKept: true)
        url = try AppleFiles.copy(name, into: directory.url)
    }

    /// A context of the calling thread on the file.
    func context(
        _ model: ManagedObjectModel, _ options: SQLiteStoreOptions = SQLiteStoreOptions()
    ) throws -> ManagedObjectContext {
        ManagedObjectContext(coordinator: try coordinator(model, options))
    }
}

/// The models in code that fit the files.
extension AppleFile {
    static let writer = EntityDescription(
        name: "Writer", attributes: [AttributeDescription("age", .integer16)], isAbstract: true)
    static let author = EntityDescription(
        name: "Author", attributes: [AttributeDescription("alias", .string)],
        relationships: [
            RelationshipDescription("books", to: "Book", inverse: "author", isToMany: true, deleteRule: .cascade)
        ], superentity: writer, uniquenessConstraints: [["alias"]])
    static let book = EntityDescription(
        name: "Book",
        attributes: [
            AttributeDescription("uniqueID", .uuid), AttributeDescription("title", .string),
            AttributeDescription("price", .decimal, isOptional: true),
            AttributeDescription("publishedAt", .date, isOptional: true),
            AttributeDescription("pagesCount", .integer64, isOptional: true),
            AttributeDescription("frontCover", .transformable, isOptional: true),
        ],
        relationships: [
            RelationshipDescription("author", to: "Author", inverse: "books"),
            RelationshipDescription("pages", to: "Page", inverse: "book", isToMany: true, deleteRule: .cascade),
        ], uniquenessConstraints: [["uniqueID"]])
    static let graphicNovel = EntityDescription(
        name: "GraphicNovel", attributes: [AttributeDescription("isBlackAndWhite", .boolean, isOptional: true)],
        superentity: book)
    static let page = EntityDescription(
        name: "Page",
        attributes: [
            AttributeDescription("number", .integer32),
            AttributeDescription("isBookmarked", .boolean, isOptional: true),
            AttributeDescription("content", .binaryData, isOptional: true),
        ], relationships: [RelationshipDescription("book", to: "Book", inverse: "pages")])
    static let feedback = EntityDescription(
        name: "Feedback",
        attributes: [
            AttributeDescription("bookID", .uuid), AttributeDescription("rating", .double, isOptional: true),
            AttributeDescription("authorAlias", .string), AttributeDescription("comment", .string, isOptional: true),
        ])
    static let user = EntityDescription(
        name: "User",
        attributes: [AttributeDescription("name", .string), AttributeDescription("petName", .string, isOptional: true)])

    static func libraryModel() throws -> ManagedObjectModel {
        try ManagedObjectModel(entities: [writer, author, book, graphicNovel, page, feedback])
    }

    static func userModel() throws -> ManagedObjectModel { try ManagedObjectModel(entities: [user]) }
}

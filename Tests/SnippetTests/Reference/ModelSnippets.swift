import Foundation
import ManagedStore
import Testing

/// The snippet at `Attribute`.
@Suite struct AttributeSnippets {
    // snippet.Attribute
    // swift-format-ignore
    final class Item: ManagedObject {
        static let name = Attribute("name", \Item.name, minLength: 1, maxLength: 100)
        static let done = Attribute("done", \Item.done, default: false)
        override class var attributes: [any AttributeKey] { [name, done] }

        var name: String { get { self[Item.name] } set { self[Item.name] = newValue } }
        var done: Bool { get { self[Item.done] } set { self[Item.done] = newValue } }
    }
    // snippet.end

    @Test func attribute() throws {
        let context = try SnippetStore(ManagedObjectModel(Item.self)).context()
        let item = Item(context: context)
        item.name = ""
        #expect(throws: StoreError.self) { try context.save() }
        item.name = "Buy milk"
        try context.save()
        #expect(!item.done)
    }
}

/// The snippet at `Relationship`.
@Suite struct RelationshipSnippets {
    // snippet.Relationship
    // swift-format-ignore
    final class Folder: ManagedObject {
        static let items = Relationship("items", \Folder.items, inverse: "folder", deleteRule: .cascade)
        override class var relationships: [any RelationshipKey] { [items] }

        var items: Set<Item> { get { self[Folder.items] } set { self[Folder.items] = newValue } }
    }

    // swift-format-ignore
    final class Item: ManagedObject {
        static let folder = Relationship("folder", \Item.folder, inverse: "items")
        override class var relationships: [any RelationshipKey] { [folder] }

        var folder: Folder? { get { self[Item.folder] } set { self[Item.folder] = newValue } }
    }
    // snippet.end

    @Test func relationship() throws {
        let context = try SnippetStore(ManagedObjectModel(Folder.self, Item.self)).context()
        let (folder, item) = (Folder(context: context), Item(context: context))
        item.folder = folder
        #expect(folder.items == [item])
    }
}

/// The snippet at `Transformable`.
@Suite struct TransformableSnippets {
    struct Coordinate: Codable, Hashable, Sendable {
        var latitude: Double
        var longitude: Double
    }

    // snippet.Transformable
    final class Place: ManagedObject {
        static let position = Attribute("position", \Place.position)
        override class var attributes: [any AttributeKey] { [position] }
        var position: Transformable<Coordinate>? {
            get { self[Place.position] }
            set { self[Place.position] = newValue }
        }
    }
    // snippet.end

    @Test func transformable() throws {
        let context = try SnippetStore(ManagedObjectModel(Place.self)).context()
        let place = Place(context: context)
        // snippet.Transformable.use
        place.position = try Transformable(Coordinate(latitude: 52.5, longitude: 13.4))
        let latitude = try place.position?.decoded().latitude
        // snippet.end
        #expect(latitude == 52.5)
    }
}

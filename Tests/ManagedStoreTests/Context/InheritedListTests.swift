import Testing

@testable import ManagedStore

/// Ordered relationships whose members are of several entities.
@Suite struct InheritedListTests {
    /// An attribute of a subentity's own moves its references to other positions than those of its superentity.
    private func model() throws -> ManagedObjectModel {
        func text(_ name: String) -> AttributeDescription { AttributeDescription(name, .string, isOptional: true) }
        let item = EntityDescription(
            name: "Item", attributes: [text("name")],
            relationships: [RelationshipDescription("parent", to: "Parent", inverse: "items")])
        return try ManagedObjectModel(entities: [
            item, EntityDescription(name: "Card", attributes: [text("front"), text("back")], superentity: item),
            EntityDescription(name: "Page", attributes: [text("body")], superentity: item),
            EntityDescription(
                name: "Parent", attributes: [text("name")],
                relationships: [
                    RelationshipDescription("items", to: "Item", inverse: "parent", isToMany: true, isOrdered: true)
                ]),
        ])
    }

    private func parent(in context: ManagedObjectContext) throws -> ManagedObject {
        try #require(try context.fetch(FetchRequest<ManagedObject>(entityName: "Parent")).first)
    }

    private func items(of parent: ManagedObject) throws -> [ManagedObject] {
        try #require(try parent.value(forKey: "items") as? [ManagedObject])
    }

    /// What a context that has read nothing yet finds in the list.
    private func names(in store: TestStore) throws -> String {
        try withExtendedLifetime(store.context()) { context in
            try items(of: parent(in: context)).map { try $0.value(forKey: "name") as? String ?? "?" }.joined()
        }
    }

    private func make(
        _ entities: [String], _ names: String, in context: ManagedObjectContext
    ) throws -> [ManagedObject] {
        try zip(entities, names).map { try context.make($0, ["name": String($1)]) }
    }

    @Test(arguments: Backend.strictCases) func newObjectsOfSubentitiesKeepTheirPlacesInAList(_ backend: Backend) throws
    {
        let store = try TestStore(backend, model: try model())
        let context = store.context()
        let all = try make(["Page", "Card", "Item", "Page", "Card"], "edcba", in: context)
        try context.make("Parent").setValue(all, forKey: "items")
        try context.save()
        #expect(try names(in: store) == "edcba")
        // At the end of a list that was not read.
        let other = store.context()
        let unread = try parent(in: other)
        for new in try make(["Page", "Card", "Page"], "zyx", in: other) { try new.setValue(unread, forKey: "parent") }
        try other.save()
        #expect(try names(in: store) == "edcbazyx")
        // In the middle of one that was.
        let reader = store.context()
        let read = try parent(in: reader)
        var list = try items(of: read)
        list.insert(contentsOf: try make(["Card", "Page", "Item"], "321", in: reader), at: 2)
        try read.setValue(list, forKey: "items")
        try reader.save()
        #expect(try names(in: store) == "ed321cbazyx")
    }
}

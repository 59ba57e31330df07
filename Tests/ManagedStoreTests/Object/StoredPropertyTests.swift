import Foundation
import Testing

@testable import ManagedStore

/// A class with stored properties: what gives them their first values is code that is not ours, and may do anything.
private final class Gadget: ManagedObject {
    static let name = Attribute("name", \Gadget.name)
    override class var attributes: [any AttributeKey] { [name] }
    var name: String {
        get { self[Gadget.name] }
        set { self[Gadget.name] = newValue }
    }

    /// What is done whenever one is made.
    @TaskLocal static var onInit: @Sendable () -> Void = {}
    let tag: Int = {
        Gadget.onInit()
        return 7
    }()
}

private final class ShyGadget: ManagedObject, CustomReflectable {
    static let name = Attribute("name", \ShyGadget.name)
    override class var attributes: [any AttributeKey] { [name] }
    var name: String {
        get { self[ShyGadget.name] }
        set { self[ShyGadget.name] = newValue }
    }
    let tag: Int = {
        Gadget.onInit()
        return 7
    }()
    var customMirror: Mirror { Mirror(self, children: []) }
}

@Suite(.timeLimit(.minutes(15))) struct StoredPropertyTests {
    private func context(_ count: Int, _ type: ManagedObject.Type = Gadget.self) throws -> ManagedObjectContext {
        let coordinator = PersistentStoreCoordinator(managedObjectModel: try ManagedObjectModel(type))
        try coordinator.addPersistentStore(.inMemory)
        let context = ManagedObjectContext(coordinator: coordinator)
        for number in 0..<count {
            let object = try EntityDescription.insertNewObject(forEntityName: type.entityName, into: context)
            try object.setValue("\(number)", forKey: "name")
        }
        try context.save()
        return ManagedObjectContext(coordinator: coordinator)
    }

    /// The initial value of a property looks into the very context whose fetch makes the object.
    @Test(arguments: [0, 20]) func theyMayUseTheContext(batchSize: Int) throws {
        let context = try context(100)
        var request = FetchRequest(Gadget.self, sortBy: [SortDescriptor(\.name, order: .reverse)])
        request.fetchBatchSize = batchSize
        let kept = try context.fetch(FetchRequest(Gadget.self)).prefix(3).map { $0 }
        let confined = Confined(context)
        let gadgets = try Gadget.$onInit.withValue({ _ = confined.value.registeredObjects.count }) {
            try context.fetch(request)
        }
        #expect(gadgets.count == 100 && gadgets.allSatisfy { $0.tag == 7 })
        #expect(kept.allSatisfy { one in gadgets.contains { $0 === one } })
        #expect(gadgets.map(\.name) == gadgets.map(\.name).sorted(by: >))
    }

    /// The class tells of no children, though it has some.
    @Test func aClassMayTellOfItselfWhatItLikes() throws {
        let context = try context(100, ShyGadget.self)
        let confined = Confined(context)
        for _ in 0..<2 {
            let gadgets = try Gadget.$onInit.withValue({ _ = confined.value.registeredObjects.count }) {
                try context.fetch(FetchRequest(ShyGadget.self))
            }
            #expect(gadgets.count == 100)
        }
    }

    /// The initial value reads the very object that is being made.
    @Test(arguments: [0, 20]) func anObjectIsMadeOnceForItsID(batchSize: Int) throws {
        let context = try context(60)
        let ids = try context.fetch(FetchRequest(Gadget.self)).map(\.objectID)
        let confined = Confined(context)
        let inner = Confined(NSMutableArray())
        var request = FetchRequest(Gadget.self)
        request.fetchBatchSize = batchSize
        let gadgets = try Gadget.$onInit.withValue({
            Gadget.$onInit.withValue({}) { inner.value.addObjects(from: ids.map { confined.value.object(with: $0) }) }
        }) {
            try context.fetch(request)
        }
        #expect(Set(gadgets.map { ObjectIdentifier($0) }).count == 60)
        for gadget in gadgets { #expect(context.registeredObject(for: gadget.objectID) === gadget) }
        #expect(inner.value.allSatisfy { one in gadgets.contains { $0 === one as? Gadget } })
    }
}

/// What is used on the thread that made it alone.
private struct Confined<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}

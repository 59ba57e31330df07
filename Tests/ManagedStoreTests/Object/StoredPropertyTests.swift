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

@Suite(.timeLimit(.minutes(2))) struct StoredPropertyTests {
    private func context(_ count: Int) throws -> ManagedObjectContext {
        let coordinator = PersistentStoreCoordinator(managedObjectModel: try ManagedObjectModel(Gadget.self))
        try coordinator.addPersistentStore(.inMemory)
        let context = ManagedObjectContext(coordinator: coordinator)
        for number in 0..<count { Gadget(context: context).name = "\(number)" }
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
}

/// What is used on the thread that made it alone.
private struct Confined<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}

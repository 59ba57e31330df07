import Foundation
import ManagedStore
import TestSupport
import Testing

/// Which objects share a section.
enum EditedSections: CaseIterable {
    /// All.
    case one
    /// Those of a name.
    case byName
    /// Those whose names differ in case only: the section has the name of its first object.
    case byNameIgnoringCase

    var sort: [FetchSortDescriptor] {
        let byDate = FetchSortDescriptor(key: "createdAt")
        return switch self {
        case .one: [byDate]
        case .byName: [FetchSortDescriptor(key: "name"), byDate]
        case .byNameIgnoringCase: [FetchSortDescriptor(key: "name", options: .caseInsensitive), byDate]
        }
    }

    var names: [String] { self == .byNameIgnoringCase ? ["a", "A", "b", "B"] : ["a", "b", "c", "e\u{301}", "\u{e9}"] }
}

/// A list that is edited at random, here and in another context, and copied by nothing but its change sets.
private final class EditedList: FetchedResultsControllerDelegate {
    let context: ManagedObjectContext
    let other: ManagedObjectContext
    let controller: FetchedResultsController<Item>
    private let saves: NotificationRecorder
    private var merged = 0
    private var generator: SeededGenerator
    private var copy: [[Item]] = []
    private(set) var moveInPlace = false
    private let names: [String]

    init(_ store: TestStore, seed: UInt64, _ sections: EditedSections) throws {
        (context, other) = (store.context(), store.context())
        generator = SeededGenerator(seed: seed)
        names = sections.names
        var request = FetchRequest(Item.self, predicate: FetchPredicate(#Predicate<Item> { !$0.done }))
        request.sortDescriptors = sections.sort
        controller = FetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: sections == .one ? nil : "name")
        saves = NotificationRecorder(ManagedObjectContext.didSaveObjectsNotification, from: other)
        for _ in 0..<8 { insert(in: context) }
        try context.save()
        controller.delegate = self
        try controller.performFetch()
        copy = controller.sections!.map(\.objects)
    }

    /// The values are few, so that equal keys, empty sections and moves to the same index come about.
    private func change(_ item: Item) {
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: item.name = generator.pick(names)
        case 1: item.createdAt = Date(timeIntervalSinceReferenceDate: Double(Int.random(in: 0..<6, using: &generator)))
        case 2: item.done.toggle()
        default: item.name = item.name
        }
    }

    private func insert(in context: ManagedObjectContext) {
        let item = Item("a", in: context)
        for _ in 0..<3 { change(item) }
    }

    private func edit(_ context: ManagedObjectContext) throws {
        let items = try context.items()
        for _ in 0...Int.random(in: 0..<5, using: &generator) {
            let item = items.isEmpty ? nil : generator.pick(items)
            switch Int.random(in: 0..<(items.count > 14 ? 8 : 6), using: &generator) {
            case 0, 1: insert(in: context)
            case 2, 6, 7: if let item { context.delete(item) }
            default: if let item, !item.isDeleted, item.managedObjectContext != nil { change(item) }
            }
        }
    }

    private func mergeFromOther() throws {
        try other.refreshAllObjects()
        try edit(other)
        try other.save()
        if generator.oneIn(2) { try edit(context) }
        for notification in saves.notifications[merged...] {
            try context.mergeChanges(fromContextDidSave: notification)
        }
        merged = saves.notifications.count
    }

    func step() throws {
        switch Int.random(in: 0..<8, using: &generator) {
        case 0, 1:
            try context.save()
            try mergeFromOther()
        case 2: context.rollback()
        case 3:
            try context.obtainPermanentIDs(for: Array(context.insertedObjects.prefix(1)))
            try context.save()
        case 4:
            try edit(context)
            try context.save()
        default: try edit(context)
        }
        context.processPendingChanges()
    }

    func controller(
        _ controller: FetchedResultsController<Item>, didChangeContentWith changes: FetchedResultsChangeSet
    ) {
        moveInPlace = moveInPlace || changes.moves.contains { $0.oldIndexPath == $0.newIndexPath }
        changes.apply(to: &copy) { controller.object(at: $0.newIndexPath!) }
    }

    var isExact: Bool { copy == controller.sections!.map(\.objects) }
    var isFresh: Bool {
        get throws { try controller.fetchedObjects! == context.fetch(controller.fetchRequest) }
    }
}

@Suite struct RandomEditTests {
    @Test(arguments: EditedSections.allCases)
    func applyingAChangeSetToTheOldListGivesTheNewOne(_ sections: EditedSections) throws {
        for seed in 0..<60 {
            let store = try TestStore(seed % 4 == 0 ? .sqlite : .inMemory)
            let list = try EditedList(store, seed: UInt64(seed), sections)
            for step in 0..<40 {
                try list.step()
                let isFresh = try list.isFresh
                try #require(list.isExact, "seed \(seed), step \(step)")
                try #require(isFresh, "seed \(seed), step \(step)")
            }
            #expect(!list.moveInPlace)
        }
    }
}

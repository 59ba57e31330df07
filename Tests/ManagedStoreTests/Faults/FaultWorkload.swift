import Foundation
import TestSupport

@testable import ManagedStore

/// A store's life in a few steps, and a ledger of what was acknowledged.
struct FaultWorkload {
    enum Step: CaseIterable {
        case open, insert, change, updateAll, fetch, fill, close

        var isSave: Bool { self == .insert || self == .change || self == .fill }
    }

    /// Whether an item is done, by its name.
    typealias Rows = [String: Bool]

    let url: URL
    let coordinator: PersistentStoreCoordinator
    let context: ManagedObjectContext
    /// What there was after each transaction that was acknowledged; nothing before the first.
    private(set) var acknowledged: [Rows] = [[:]]
    /// What there will be after the step under way.
    private(set) var intended: Rows = [:]
    private let options: SQLiteStoreOptions
    private var items: [Item] = []

    static let model = Result { try ManagedObjectModel(Item.self) }

    /// Few pages before a checkpoint, and in the cache, so that both are met with.
    init(_ directory: TemporaryDirectory, _ injector: some FaultInjector) throws {
        url = directory.file("store.sqlite")
        options = injector.options(
            SQLiteStoreOptions(cacheSizeKiB: 20, walAutocheckpointPages: 8, busyTimeoutMilliseconds: 0))
        coordinator = PersistentStoreCoordinator(managedObjectModel: try Self.model.get())
        context = ManagedObjectContext(coordinator: coordinator)
    }

    var rows: Rows { acknowledged[acknowledged.count - 1] }

    /// Changes the context as the step wants it; does nothing that can fail.
    mutating func prepare(_ step: Step) {
        switch step {
        case .open, .fetch, .close: break
        case .insert: insert(30, "Item")
        case .fill: insert(60, String(repeating: "long ", count: 60))
        case .change: change()
        case .updateAll: intended = intended.mapValues { _ in true }
        }
    }

    private mutating func insert(_ count: Int, _ name: String) {
        for number in 0..<count {
            let item = Item("\(name) \(number)", at: Double(number), in: context)
            items.append(item)
            intended[item.name] = false
        }
    }

    private mutating func change() {
        for item in items[..<10] { intended[item.name] = nil }
        for item in items[..<5] { context.delete(item) }
        for item in items[5..<10] {
            item.name = "Changed \(item.name)"
            intended[item.name] = false
        }
        items.removeFirst(5)
    }

    /// What can fail of the step; to be tried again then.
    func attempt(_ step: Step) throws {
        switch step {
        case .open: try coordinator.addPersistentStore(.sqlite, at: url, options: options)
        case .insert, .change, .fill: try context.save()
        case .updateAll: _ = try context.execute(BatchUpdateRequest(Item.self, set: ["done": true]))
        case .fetch:
            let found = try stored()
            if found != rows { throw FaultFailure("fetched \(found.count) rows, not the \(rows.count) saved ones") }
        case .close: try coordinator.removePersistentStore()
        }
    }

    mutating func acknowledge() {
        if intended != rows { acknowledged.append(intended) }
    }

    /// What a new context finds.
    func stored() throws -> Rows {
        try Self.rows(ManagedObjectContext(coordinator: coordinator))
    }

    static func rows(_ context: ManagedObjectContext) throws -> Rows {
        let items = try context.fetch(FetchRequest(Item.self))
        let rows = Rows(items.map { ($0.name, $0.done) }) { first, _ in first }
        if rows.count != items.count { throw FaultFailure("\(items.count - rows.count) rows are there twice") }
        return rows
    }
}

/// What should not have happened.
struct FaultFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

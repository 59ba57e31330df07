import Foundation
import ManagedStore
import TestSupport

/// Does with a file all that an application can do with a store. Each step may fail with a `StoreError`, and nothing
/// else may happen.
final class StoreUse {
    /// What came of it.
    enum Outcome {
        case used
        /// The store refused the file.
        case refused
        /// What is wrong although the process still runs.
        case wrong(String)
    }

    let url: URL
    var random: SeededGenerator
    private var findings: [String] = []

    init(_ folder: URL, _ random: SeededGenerator) {
        url = folder.appendingPathComponent(ValidFile.name)
        self.random = random
    }

    /// Opens the file, uses it, migrates it, and uses it again.
    func run() throws -> Outcome {
        let models = [try FuzzModel.current(), try FuzzModel.grown()]
        var isRefused = true
        for model in random.oneIn(4) ? models.reversed() : models {
            guard let coordinator = try open(model) else { continue }
            isRefused = false
            use(coordinator)
            step("close") { () throws(StoreError) in try coordinator.removePersistentStore() }
        }
        if let finding = findings.first { return .wrong(finding) }
        return isRefused ? .refused : .used
    }

    /// Nil if the file is refused, which must leave it as it is.
    private func open(_ model: ManagedObjectModel) throws -> PersistentStoreCoordinator? {
        let folder = url.deletingLastPathComponent()
        let before = try StoreFiles.read(folder)
        let coordinator = PersistentStoreCoordinator(managedObjectModel: model)
        Stage.enter("open \(model.entities.count) entities")
        do throws(StoreError) {
            try coordinator.addPersistentStore(.sqlite, at: url, options: ValidFile.options)
            return coordinator
        } catch {
            Stage.note("\(error)")
            let after = try StoreFiles.read(folder)
            // The log's index holds nothing that the log does not, and SQLite makes it when it opens the log.
            let index = after.keys.contains(ValidFile.name + "-wal") ? ValidFile.name + "-shm" : nil
            let altered = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] && $0 != index }.sorted()
            if !altered.isEmpty {
                findings.append("refused, but \(altered.joined(separator: " and ")) altered: \(error)")
            }
            return nil
        }
    }

    private func use(_ coordinator: PersistentStoreCoordinator) {
        var steps = reading + requests + (coordinator.isTyped ? changing : []) + sharedSteps
        steps.shuffle(using: &random)
        for (name, body) in steps {
            step(name) { () throws(StoreError) in
                let context = ManagedObjectContext(coordinator: coordinator)
                context.mergePolicy = MergePolicy(random.pick(MergePolicy.MergeType.allCases))
                try body(context)
            }
        }
    }

    /// A step, which may fail.
    typealias Step = (name: String, body: (ManagedObjectContext) throws(StoreError) -> Void)

    /// Does something that may fail.
    func step(_ name: String, _ body: () throws(StoreError) -> Void) {
        Stage.enter(name)
        do throws(StoreError) {
            try body()
        } catch {
            // The error's text is made of what the file says.
            Stage.note("\(error)")
            if error.message.isEmpty { findings.append("an error without a message in \(name)") }
        }
    }

    /// Notes what must hold and does not.
    func expect(_ condition: Bool, _ problem: @autoclosure () -> String) {
        if !condition { findings.append(problem()) }
    }
}

extension PersistentStoreCoordinator {
    /// Whether the model is the one with classes.
    var isTyped: Bool { managedObjectModel.entitiesByName["Holder"]?.managedObjectClass == Holder.self }
}

/// Tells the parent how far the process came: its last words are in its log.
enum Stage {
    static func enter(_ name: String) { write("step: \(name)\n") }
    static func note(_ text: String) { write("  \(text.prefix(600))\n") }
    static func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}

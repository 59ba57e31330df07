import Foundation
import ManagedStore

/// `todo watch`: a list that follows the saves of this and other processes.
struct WatchCommand: Command {
    static let usage = Usage(
        name: "watch", summary: "shows the list, then every change to it, until Ctrl-C",
        details: """
            Changes that other programs make are shown too: try todo add in another terminal.
            + marks what is new, - what is gone, ~ what changed, > what changed and moved.
            """,
        options: [.init(name: "--seconds", value: "N", help: "ends after N seconds")])

    private static let longest = 31_536_000.0
    private static let interval = Duration.milliseconds(200)

    private let seconds: Double?

    init(_ arguments: Arguments) throws {
        try arguments.requireNoOperands()
        seconds = try arguments.last("--seconds").map { word in
            guard let seconds = Double(word), (0...Self.longest).contains(seconds) else {
                throw UsageError(
                    "\"\(word)\" is not a number of seconds; it can be from 0 to \(Int(Self.longest)), a year")
            }
            return seconds
        }
    }

    func run(on store: TodoStore) async throws {
        let watching = Task { try await watch(store) }
        let interruption = Interruption { watching.cancel() }
        defer { interruption.end() }
        do {
            try await watching.value
        } catch is CancellationError {
            // Ctrl-C is the normal end of a watch.
        }
    }

    private func watch(_ store: TodoStore) async throws {
        let context = store.viewContext
        let end = seconds.map { ContinuousClock.now + .seconds($0) }
        var changes = FileChanges(of: store.file)
        let list = try await context.perform {
            // Another process may have changed rows that this process read before, so faults must ask the store.
            context.stalenessInterval = 0
            let list = try LiveList(context)
            try Terminal.write(list.items)
            return list
        }
        // The list follows its context as long as it lives.
        defer { withExtendedLifetime(list) {} }
        while end.map({ ContinuousClock.now < $0 }) ?? true {
            try await Task.sleep(for: Self.interval)
            // Saves of other processes post no notification here.
            if changes.haveCome() {
                _ = try await context.perform { try context.mergeRemoteChanges(matching: Item.sorted()) }
            }
        }
    }
}

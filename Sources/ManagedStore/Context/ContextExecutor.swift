import Dispatch
import Foundation
import Synchronization

/// Knows where a context's code runs, and whether the caller is there.
final class ContextExecutor: @unchecked Sendable {
    // Unchecked: immutable after initialisation, but for `waiting`, which is only touched on the executor's own queue;
    // `thread` is only compared.
    let queue: DispatchQueue?
    private let thread: pthread_t?
    private let isMain: Bool
    /// The executors whose code waits for what runs here now, and which it therefore may use as well.
    private var waiting: [ContextExecutor] = []

    /// Says whose queue it is; weakly, since the executor owns the queue.
    private final class Owner: Sendable {
        // Unsafe: set once, before another thread sees it.
        nonisolated(unsafe) weak var executor: ContextExecutor?
    }

    private static let ownerKey = DispatchSpecificKey<Owner>()
    /// Stands for the main queue, which any number of contexts share.
    private static let main = ContextExecutor(queue: .main, thread: nil, isMain: true)

    convenience init(_ type: ManagedObjectContext.ConcurrencyType) {
        switch type {
        case .confinement: self.init(queue: nil, thread: pthread_self(), isMain: false)
        case .privateQueue: self.init(queue: DispatchQueue(label: "ManagedObjectContext"), thread: nil, isMain: false)
        case .mainQueue:
            _ = Self.main
            self.init(queue: nil, thread: nil, isMain: true)
        }
    }

    private init(queue: DispatchQueue?, thread: pthread_t?, isMain: Bool) {
        self.queue = isMain ? .main : queue
        self.thread = thread
        self.isMain = isMain
        guard let queue else { return }
        let owner = Owner()
        owner.executor = self
        queue.setSpecific(key: Self.ownerKey, value: owner)
    }

    /// The executor on whose queue the caller runs.
    private static var current: ContextExecutor? { DispatchQueue.getSpecific(key: ownerKey)?.executor }

    /// Whether the caller runs where the context's code may. The main queue does not always run on the main thread.
    var isCurrent: Bool {
        if let thread { return pthread_equal(thread, pthread_self()) != 0 }
        guard let current = Self.current else { return false }
        return isSame(as: current) || current.waiting.contains { isSame(as: $0) }
    }

    private func isSame(as other: ContextExecutor) -> Bool {
        self === other || isMain && other.isMain
    }

    /// Runs `body` on the queue and waits for it; inline when the caller is there, or waits there itself.
    func sync<Result>(on queue: DispatchQueue, _ body: () throws -> Result) rethrows -> Result {
        let caller = Self.current
        return try queue.sync {
            let owner = isMain ? Self.main : self
            let before = owner.waiting
            owner.waiting = caller.map { [$0] + $0.waiting } ?? []
            defer { owner.waiting = before }
            return try body()
        }
    }
}

extension ManagedObjectContext {
    private static let debugging: Atomic<Bool> = {
        #if DEBUG
            Atomic(true)
        #else
            Atomic(false)
        #endif
    }()

    /// Whether using a context, or an object of one that was made since, off its queue traps at once, naming both. On
    /// in debug builds; a release build may switch it on, before it makes its contexts, to find out.
    public static var isConcurrencyDebuggingEnabled: Bool {
        get { debugging.load(ordering: .relaxed) }
        set { debugging.store(newValue, ordering: .relaxed) }
    }

    /// Traps when called off the context's queue, if the check is on.
    func checkQueue(_ function: StaticString = #function) {
        guard Self.isConcurrencyDebuggingEnabled, !executor.isCurrent else { return }
        fatalError("\(descriptionForErrors) was used off its \(place) in \(function); go through perform(_:)")
    }

    /// Where the context may be used.
    var place: String { concurrencyType == .confinement ? "thread" : "queue" }

    /// The context with its type and name.
    var descriptionForErrors: String { "\(self) (\(concurrencyType.rawValue)\(name.map { ", \($0)" } ?? ""))" }
}

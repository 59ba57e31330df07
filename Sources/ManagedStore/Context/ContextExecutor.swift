import Dispatch
import Foundation
import Synchronization

/// Runs a context's code on its queue or thread, and knows whether the caller is already there.
final class ContextExecutor: @unchecked Sendable {
    // Unchecked: immutable after initialisation except for `waiting`, which only code on the executor's own queue
    // touches; `thread` is only compared.
    let queue: DispatchQueue?
    private let thread: pthread_t?
    private let isMain: Bool
    /// The executors that wait for the code running here now. That code may use their contexts as well.
    private var waiting: [ContextExecutor] = []

    /// Leads from a queue to its executor. The reference is weak, since the executor owns the queue.
    private final class Owner: Sendable {
        // Unsafe: set once, before another thread sees it.
        nonisolated(unsafe) weak var executor: ContextExecutor?
    }

    private static let ownerKey = DispatchSpecificKey<Owner>()
    /// The executor of the main queue, which any number of contexts share.
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

    /// Whether the caller may use the context here. The main queue does not always run on the main thread.
    var isCurrent: Bool {
        if let thread { return pthread_equal(thread, pthread_self()) != 0 }
        guard let current = Self.current else { return false }
        return isSame(as: current) || current.waiting.contains { isSame(as: $0) }
    }

    private func isSame(as other: ContextExecutor) -> Bool {
        self === other || isMain && other.isMain
    }

    /// Runs `body` on the queue and waits for it; runs it inline if the caller is on the queue or blocks it already.
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

    /// Whether using a context, or one of its objects, off its queue traps at once with a message that names both.
    ///
    /// On in debug builds. A release build may switch it on to find such uses; it affects contexts made afterwards.
    public static var isConcurrencyDebuggingEnabled: Bool {
        get { debugging.load(ordering: .relaxed) }
        set { debugging.store(newValue, ordering: .relaxed) }
    }

    /// Traps when called off the context's queue, if the check is on.
    func checkQueue(_ function: StaticString = #function) {
        guard Self.isConcurrencyDebuggingEnabled, !executor.isCurrent else { return }
        fatalError("\(descriptionForErrors) was used off its \(place) in \(function); go through perform(_:)")
    }

    /// Where the context may be used: "thread" or "queue".
    var place: String { concurrencyType == .confinement ? "thread" : "queue" }

    /// The context with its type and name.
    var descriptionForErrors: String { "\(self) (\(concurrencyType.rawValue)\(name.map { ", \($0)" } ?? ""))" }
}

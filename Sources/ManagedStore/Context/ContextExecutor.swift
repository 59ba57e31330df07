import Dispatch
import Foundation
import Synchronization

/// Knows where a context's code runs, and whether the caller is there.
final class ContextExecutor: @unchecked Sendable {
    // Unchecked: immutable after initialisation; `thread` is only compared.
    let queue: DispatchQueue?
    private let thread: pthread_t?
    private let isMain: Bool

    private static let ownerKey = DispatchSpecificKey<ObjectIdentifier>()
    private static let mainKey: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    init(_ type: ManagedObjectContext.ConcurrencyType) {
        isMain = type == .mainQueue
        switch type {
        case .confinement: (queue, thread) = (nil, pthread_self())
        case .privateQueue: (queue, thread) = (DispatchQueue(label: "ManagedObjectContext"), nil)
        case .mainQueue: (queue, thread) = (.main, nil)
        }
        if type == .privateQueue { queue?.setSpecific(key: Self.ownerKey, value: ObjectIdentifier(self)) }
    }

    /// Whether the caller runs where the context's code may. The main queue does not always run on the main thread.
    var isCurrent: Bool {
        if let thread { return pthread_equal(thread, pthread_self()) != 0 }
        if isMain { return DispatchQueue.getSpecific(key: Self.mainKey) == true }
        return DispatchQueue.getSpecific(key: Self.ownerKey) == ObjectIdentifier(self)
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

    /// Whether using a context off its queue traps at once. On in debug builds; a release build may switch it on to find out.
    public static var isConcurrencyDebuggingEnabled: Bool {
        get { debugging.load(ordering: .relaxed) }
        set { debugging.store(newValue, ordering: .relaxed) }
    }

    /// Traps when called off the context's queue, if the check is on.
    func checkQueue(_ function: StaticString = #function) {
        guard Self.isConcurrencyDebuggingEnabled, !executor.isCurrent else { return }
        preconditionFailure(
            "\(self) (\(concurrencyType.rawValue)\(name.map { ", \($0)" } ?? "")) was used off its "
                + "\(concurrencyType == .confinement ? "thread" : "queue") in \(function); go through perform(_:)")
    }
}

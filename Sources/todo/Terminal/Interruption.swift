import Foundation

/// Turns Ctrl-C into a call as long as there is work to cancel. Otherwise Ctrl-C ends the program as usual.
final class Interruption: @unchecked Sendable {
    // Unchecked: only `queue` touches mutable state.
    private let source: any DispatchSourceSignal
    private let queue = DispatchQueue(label: "todo.interruption")
    private let previous: (@convention(c) (Int32) -> Void)?
    private var hasCome = false

    init(_ onInterrupt: @escaping @Sendable () -> Void) {
        // A dispatch source only receives signals that do not end the process first.
        previous = signal(SIGINT, SIG_IGN)
        source = DispatchSource.makeSignalSource(signal: SIGINT, queue: queue)
        // The source is registered on another thread; a signal before that would be lost.
        let registered = DispatchSemaphore(value: 0)
        source.setRegistrationHandler { registered.signal() }
        source.setEventHandler { [weak self] in
            self?.hasCome = true
            onInterrupt()
        }
        source.resume()
        registered.wait()
    }

    /// Whether Ctrl-C was pressed.
    var hasHappened: Bool { queue.sync { hasCome } }

    func end() {
        source.cancel()
        signal(SIGINT, previous)
    }
}

import BenchHarness
import Locking

/// Results of several threads, in no fixed order, or the first error.
final class Collector<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var error: RunError?
    }

    private let state = Locked(State())

    func add(_ element: Element) { state.withLock { $0.elements.append(element) } }

    func fail(_ error: RunError) { state.withLock { $0.error = $0.error ?? error } }

    func get() throws(RunError) -> [Element] {
        let state = state.value
        if let error = state.error { throw error }
        return state.elements
    }
}

import Synchronization

/// An event that happens at most once and that any thread can query.
package final class Flag: Sendable {
    private let value = Atomic<Bool>(false)

    package init() {}

    package var isSet: Bool { value.load(ordering: .acquiring) }

    /// Sets the flag.
    ///
    /// - Returns: Whether this call set the flag.
    @discardableResult
    package func set() -> Bool { !value.exchange(true, ordering: .acquiringAndReleasing) }
}

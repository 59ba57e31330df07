import Synchronization

/// Something that happens once and that any thread may ask about.
final class Flag: Sendable {
    private let value = Atomic<Bool>(false)

    var isSet: Bool { value.load(ordering: .acquiring) }

    /// Sets the flag.
    ///
    /// - Returns: Whether it was not set before.
    @discardableResult
    func set() -> Bool { !value.exchange(true, ordering: .acquiringAndReleasing) }
}

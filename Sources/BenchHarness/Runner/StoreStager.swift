/// Gives a store the initial state of a phase, while no session has it open.
public protocol StoreStager {
    /// Whether there is a seeded copy. An existing one is complete.
    var hasSeeded: Bool { get throws }
    /// Removes all content of the store.
    func empty() throws
    /// Keeps the content of the store as the seeded copy.
    func keepSeeded() throws
    /// Replaces the content of the store by the seeded copy. Nothing remains to be written or cleaned up, so that a
    /// phase does not pay for it.
    func restoreSeeded() throws
}

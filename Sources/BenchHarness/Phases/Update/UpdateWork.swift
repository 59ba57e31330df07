/// Changes records.
public struct UpdateWork: Sendable, Equatable, Codable {
    /// The idiom by which records are changed.
    public enum Mode: String, Sendable, Codable, CaseIterable {
        /// Every record is loaded before the clock starts; each is changed, then all are saved at once.
        case perObject = "per_object"
        /// One chunk after another is fetched, changed, saved and let go, all within the clock.
        case chunked
        /// One statement in the store, without loading anything.
        case batch
    }

    /// The idiom by which records are changed.
    public var mode: Mode
    /// The new values, by attribute name.
    public var set: [AttributeChange]
    /// Which records to change; nil means all.
    public var filter: FilterSpec?
    /// Records per chunk; used by `chunked` alone.
    public var chunkSize: Int

    /// Creates the work.
    public init(mode: Mode, set: [AttributeChange], filter: FilterSpec? = nil, chunkSize: Int = 10_000) {
        self.mode = mode
        self.set = set
        self.filter = filter
        self.chunkSize = chunkSize
    }
}

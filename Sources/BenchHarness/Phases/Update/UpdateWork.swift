/// Changes records.
public struct UpdateWork: Sendable, Equatable, Codable {
    /// The way in which records are changed.
    public enum Mode: String, Sendable, Codable, CaseIterable {
        /// Loads every record before the clock starts, changes each, then saves all at once.
        case perObject = "per_object"
        /// Fetches, changes, saves and releases one chunk after another, all while the clock runs.
        case chunked
        /// Runs one statement in the store, and loads nothing.
        case batch
    }

    /// The way in which records are changed.
    public var mode: Mode
    /// The new values, by attribute name; empty if the records are linked or unlinked alone.
    public var set: [AttributeChange]
    /// The changes of many-to-many relationships; nil if there are none. Optional, since older files lack it.
    public var links: [LinkChange]?
    /// The filter of the records to change; nil means all.
    public var filter: FilterSpec?
    /// The number of records per chunk; only for `chunked`.
    public var chunkSize: Int

    /// Creates the work.
    public init(
        mode: Mode, set: [AttributeChange], links: [LinkChange] = [], filter: FilterSpec? = nil,
        chunkSize: Int = 10_000
    ) {
        self.mode = mode
        self.set = set
        self.links = links.isEmpty ? nil : links
        self.filter = filter
        self.chunkSize = chunkSize
    }
}

extension Phase.Work {
    /// Changes records.
    public static func update(_ work: UpdateWork) -> Phase.Work { Phase.Work(work) }
}

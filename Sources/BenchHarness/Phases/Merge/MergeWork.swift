/// Background writers save through their own contexts while a main-queue context merges their saves.
public struct MergeWork: Sendable, Equatable, Codable {
    /// The number of concurrent writers, each with its own context and its own records.
    public var writers: Int
    /// Saves by each writer.
    public var savesPerWriter: Int
    /// Records that each save inserts.
    public var insertsPerSave: Int
    /// Records that each save changes.
    public var changesPerSave: Int
    /// Records that each save deletes.
    public var deletesPerSave: Int
    /// The changes to each record.
    public var set: [AttributeChange]

    /// Creates the work.
    public init(
        writers: Int, savesPerWriter: Int, insertsPerSave: Int, changesPerSave: Int,
        deletesPerSave: Int, set: [AttributeChange]
    ) {
        self.writers = writers
        self.savesPerWriter = savesPerWriter
        self.insertsPerSave = insertsPerSave
        self.changesPerSave = changesPerSave
        self.deletesPerSave = deletesPerSave
        self.set = set
    }
}

extension Phase.Work {
    /// Changes records from several contexts at once, by a plan, and merges the saves in another.
    public static func merge(_ work: MergeWork) -> Phase.Work { Phase.Work(work) }
}

extension MergeWork {
    /// The number of saves of all writers.
    var saves: Int { writers * savesPerWriter }
    /// The number of records that the store needs so that no two saves touch the same one.
    var recordsNeeded: Int { saves * (changesPerSave + deletesPerSave) }
}

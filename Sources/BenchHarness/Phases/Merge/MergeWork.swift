/// Background writers save through contexts of their own while a main-queue context merges what they saved.
public struct MergeWork: Sendable, Equatable, Codable {
    /// Writers working at once, each with its own context and its own records.
    public var writers: Int
    /// Saves by each writer.
    public var savesPerWriter: Int
    /// Records inserted in each save.
    public var insertsPerSave: Int
    /// Records changed in each save.
    public var changesPerSave: Int
    /// Records deleted in each save.
    public var deletesPerSave: Int
    /// What a change does to a record.
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

extension MergeWork {
    /// Saves of all writers.
    var saves: Int { writers * savesPerWriter }
    /// Records that must be in the store, so that no two saves touch the same one.
    var recordsNeeded: Int { saves * (changesPerSave + deletesPerSave) }
}

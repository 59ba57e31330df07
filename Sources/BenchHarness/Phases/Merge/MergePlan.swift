/// The work of each writer of a merge phase: fixed in advance, so that the end state is known.
public struct MergePlan: Sendable, Equatable {
    /// One save of one writer: ordinals of records to insert, to change and to delete.
    public struct Save: Sendable, Equatable {
        /// Ordinals of the records to insert, beyond those seeded.
        public var inserts: Range<Int>
        /// Ordinals of the seeded records to change.
        public var changes: Range<Int>
        /// Ordinals of the seeded records to delete.
        public var deletes: Range<Int>

        /// Creates a save.
        public init(inserts: Range<Int>, changes: Range<Int>, deletes: Range<Int>) {
            self.inserts = inserts
            self.changes = changes
            self.deletes = deletes
        }
    }

    /// The changes to each record.
    public var set: [AttributeChange]
    /// The saves of each writer, in order. No two saves share a record.
    public var writers: [[Save]]

    /// Creates a plan.
    public init(set: [AttributeChange], writers: [[Save]]) {
        self.set = set
        self.writers = writers
    }
}

extension MergePlan {
    /// The least number of transactions that the saves take.
    ///
    /// A save returns after its commit, so that no two of one writer share a transaction. Those of several writers may.
    /// A save that only changes records may leave them as they are, and does not count.
    var leastCommits: Int {
        writers.map { $0.count { !$0.inserts.isEmpty || !$0.deletes.isEmpty } }.max() ?? 0
    }
}

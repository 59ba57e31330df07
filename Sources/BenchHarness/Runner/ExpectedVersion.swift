/// Whether a store counts a save that wrote a record with the values that it had, and each of several relationships of
/// a record that lead nowhere after a deletion.
///
/// Both are right: a loop of SQL counts each record that it writes, and an object store may find nothing to save, and
/// saves several changes of a record at once. But a store must do it the same way for all records of a phase.
enum UnchangedSaves: Sendable, Equatable {
    /// The version of the record counts the save.
    case counted
    /// The version stays as it was.
    case skipped
}

/// The version of a record, as long as it is unknown whether the latest phase counts saves without a change.
struct ExpectedVersion: Sendable, Equatable {
    /// The version if it counts them.
    private(set) var counting: Int
    /// The version if it does not.
    private(set) var skipping: Int

    /// Creates the version of a record that no save has written since.
    init(_ first: Int = 1) { (counting, skipping) = (first, first) }

    /// Counts a save, by the rule of the phase; nil if the rule is unknown.
    mutating func count(isChanged: Bool, _ rule: UnchangedSaves?) {
        if isChanged || rule != .skipped { counting += 1 }
        if isChanged || rule == .counted { skipping += 1 }
    }
}

/// The expected content of a store, condensed.
struct ExpectedContent: Sendable {
    private var digester = RecordDigester()
    /// The sums of the versions, by both rules.
    private var counting = VersionSum()
    private var skipping = VersionSum()

    /// The digest of every record.
    var records: RecordDigest { digester.digest }

    mutating func add(_ record: [FieldValue], _ version: ExpectedVersion) {
        for value in record { digester.add(value) }
        counting.add(version.counting, of: digester)
        skipping.add(version.skipping, of: digester)
        digester.endRecord()
    }

    /// Returns the rule by which a store's versions are the expected ones; nil if they are not. Without a save that
    /// changed nothing, both rules give the same versions.
    func rule(of versions: VersionSum) -> UnchangedSaves? {
        if versions == counting { return .counted }
        return versions == skipping ? .skipped : nil
    }

    /// Keeps the versions by one rule.
    mutating func settle(_ rule: UnchangedSaves) {
        switch rule {
        case .counted: skipping = counting
        case .skipped: counting = skipping
        }
    }
}

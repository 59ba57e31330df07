/// Compares the checksum of a record that was read with the values that the record may have had.
struct ReadMatcher {
    private let records: InitialRecords
    private let salt: UInt64

    /// The number of combinations of values that are tried. More of them are possible only if many workers change one
    /// record at the same time.
    private static let combinations = 4_096

    init(_ records: InitialRecords, salt: UInt64) {
        self.records = records
        self.salt = salt
    }

    /// Whether a record with these values has a checksum. True if there are too many possible combinations to tell.
    ///
    /// - Parameter revisions: The revisions that may have set each attribute; nil is the value before any change.
    func matches(_ checksum: UInt64, _ ordinal: Int, _ revisions: [[UInt64?]]) -> Bool {
        var count = 1
        for candidates in revisions where count <= Self.combinations { count *= candidates.count }
        if count > Self.combinations { return true }
        let values = revisions.enumerated().map { attribute, candidates in
            candidates.map { records.value(attribute, ordinal, revision: $0) }
        }
        return matches(checksum, values[...], RecordDigester(readingWith: salt))
    }

    private func matches(_ checksum: UInt64, _ values: ArraySlice<[FieldValue]>, _ digester: RecordDigester) -> Bool {
        guard let candidates = values.first else { return digester.checksum.sum == checksum }
        return candidates.contains { value in
            var digester = digester
            digester.add(value)
            return matches(checksum, values.dropFirst(), digester)
        }
    }
}

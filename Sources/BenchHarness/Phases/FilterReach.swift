/// How many of the records the condition of a phase lets through.
///
/// A condition that was meant to choose some of them may choose none or all, as at another number of records: the times
/// are those of other work then.
enum FilterReach: String, Sendable, Codable, CaseIterable {
    case noRecord = "none"
    case someRecords = "some"
    case everyRecord = "all"
}

extension ExpectedStore {
    /// Returns how many of the records a filter lets through, of the kind that it names if it names one; nil without a
    /// condition or records.
    /// - Complexity: Linear in the number of records, but ends with the second of two that differ.
    func reach(of filter: FilterSpec?) -> FilterReach? {
        guard let (number, condition) = filter?.partedByKind, let condition else { return nil }
        let kind = number.map { RecordFilter(.isOfKind($0), in: self) }
        let filter = RecordFilter(condition, in: self)
        var (matches, misses) = (false, false)
        walkRecords { record, ordinal in
            guard kind?.matches({ record[$0] }, ordinal: ordinal) ?? true else { return true }
            if filter.matches({ record[$0] }, ordinal: ordinal) { matches = true } else { misses = true }
            return !(matches && misses)
        }
        if !matches && !misses { return nil }
        return !matches ? .noRecord : misses ? .someRecords : .everyRecord
    }
}

/// An event that affects the records of an ``ExpectedStore``.
protocol ExpectedStep: Sendable {
    /// Applies the step to one record.
    func apply(to record: inout [FieldValue], _ ordinal: Int) -> ExpectedEffect
}

/// The effect of a step on one record.
enum ExpectedEffect: Sendable {
    /// No save wrote the record.
    case none
    /// A save wrote the record, with at least one other value, or with the values that it had.
    case saved(isChanged: Bool)
    /// The record leads nowhere by so many relationships that led to deleted ones: one save wrote it, or one for each.
    case lost(Int)
    /// The record is gone.
    case deleted
}

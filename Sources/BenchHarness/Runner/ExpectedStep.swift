/// An event that affects the records of an ``ExpectedStore``.
protocol ExpectedStep: Sendable {
    /// Applies the step to one record; returns false if it deletes the record.
    func apply(to record: inout [FieldValue], _ ordinal: Int) -> Bool
}

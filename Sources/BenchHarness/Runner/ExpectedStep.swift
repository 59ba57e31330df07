/// Something that happened to the records of an ``ExpectedStore``.
protocol ExpectedStep: Sendable {
    /// Does the step to one record; false when it deletes it.
    func apply(to record: inout [FieldValue], _ ordinal: Int) -> Bool
}

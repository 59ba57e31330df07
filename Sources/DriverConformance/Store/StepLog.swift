/// What a check has done so far, for the text of its failure. A check works on one thread.
final class StepLog {
    private(set) var steps: [String] = []

    /// Notes what is about to be done.
    func begin(_ step: String) { steps.append(step) }
}

/// The steps of a check so far, for the text of its failure. A check works on one thread.
final class StepLog {
    private(set) var steps: [String] = []

    /// Records the next step.
    func begin(_ step: String) { steps.append(step) }
}

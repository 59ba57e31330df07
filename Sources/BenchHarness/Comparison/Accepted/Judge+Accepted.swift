/// Slowdowns that are known and accepted.
extension Judge {
    /// Accepts the rise of an exact counter within its bound.
    func judgeAccepted(_ judgement: inout Judgement, _ base: SampleSummary, _ new: SampleSummary) {
        if let share = context.options.accepted.share(judgement.key), new.max <= base.min * (1 + share) {
            judgement.verdict = .accepted
        }
        giveReason(&judgement)
    }

    /// Says who accepts how much, of a figure that got worse.
    func giveReason(_ judgement: inout Judgement) {
        let accepted = context.options.accepted
        guard accepted.share(judgement.key) != nil else { return }
        switch judgement.verdict {
        case .accepted: judgement.reason = accepted.text(judgement.key)
        case .regressed: judgement.reason = "by more than is accepted: \(accepted.text(judgement.key))"
        default: break
        }
    }
}

/// Slowdowns that are known and accepted.
extension Judge {
    /// Returns the share by which a figure may get worse; nil if nothing is accepted of it. More memory is no slowdown.
    func acceptedShare(of judgement: Judgement) -> Double? {
        guard judgement.metric.isExact || judgement.metric.isOfSpeed else { return nil }
        return context.options.accepted.share(judgement.key)
    }

    /// Accepts the rise of an exact counter within its bound.
    func judgeAccepted(_ judgement: inout Judgement, _ base: SampleSummary, _ new: SampleSummary) {
        if let share = acceptedShare(of: judgement), new.max <= base.min * (1 + share) {
            judgement.verdict = .accepted
        }
        giveReason(&judgement)
    }

    /// Says who accepts how much, of a figure that got worse.
    func giveReason(_ judgement: inout Judgement) {
        guard acceptedShare(of: judgement) != nil else { return }
        let accepted = context.options.accepted
        switch judgement.verdict {
        case .accepted: judgement.reason = accepted.text(judgement.key)
        case .regressed: judgement.reason = "by more than is accepted: \(accepted.text(judgement.key))"
        default: break
        }
    }
}

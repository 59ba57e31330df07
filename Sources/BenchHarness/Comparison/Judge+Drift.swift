import Foundation

/// Changes that the baseline driver shows too, or that only its own change brings about.
///
/// The baseline driver is the same program on both sides, so its times change with the machine. If they did, a change
/// of another driver counts only if both show it: the figure itself, and its ratio to the baseline.
extension Judge {
    /// Returns why a change does not count; nil if it does.
    func doubt(about judgement: Judgement) -> String? {
        guard [.regressed, .improved].contains(judgement.verdict), paired == nil else { return nil }
        return context.baseline == nil ? doubt(aboutFigure: judgement) : doubt(aboutRatio: judgement)
    }

    /// A figure became worse: but so did that of the baseline driver, and the ratio of both did not.
    private func doubt(aboutFigure judgement: Judgement) -> String? {
        guard judgement.metric.isOfSpeed, let baseline = context.sharedBaseline,
            let drift = drift(of: baseline, judgement, upwards: (judgement.ratio ?? 1) > 1)
        else { return nil }
        if judgement.key.driver == baseline { return "the baseline driver itself changed, so the machine did" }
        let ratio = test(judgement.key, judgement, relativeTo: baseline)
        guard !judgement.isConfirmed(by: ratio.interval) else { return nil }
        return
            "\(baseline), the baseline driver, changed by \(drift) itself, and the ratio to it does not show the change"
    }

    /// A ratio became worse: but the baseline driver changed, and the figure itself did not. On another machine, or
    /// after another boot, another speed of the baseline driver is expected, and the ratio is what remains.
    private func doubt(aboutRatio judgement: Judgement) -> String? {
        guard let baseline = context.baseline, context.hosts.isOneBoot,
            let drift = drift(of: baseline, judgement, upwards: (judgement.ratio ?? 1) < 1)
        else { return nil }
        let own = test(judgement.key, judgement, relativeTo: nil)
        guard !judgement.isConfirmed(by: own.interval) else { return nil }
        return
            "\(baseline), the baseline driver, changed by \(drift) itself, and without it the figure does not show the "
            + "change"
    }

    /// Returns the change of the baseline driver in the same phase, in words, if it is beyond its own noise
    /// and in the direction that explains the change of another figure.
    private func drift(of baseline: String, _ judgement: Judgement, upwards: Bool) -> String? {
        let test = test(ComparisonKey(judgement.key, driver: baseline), judgement, relativeTo: nil)
        guard let interval = test.interval, let ratio = test.ratio else { return nil }
        return (upwards ? interval.lowerBound > 1 : interval.upperBound < 1) ? Figure.change(ratio) : nil
    }

    private func test(_ key: ComparisonKey, _ judgement: Judgement, relativeTo baseline: String?) -> SampleTest {
        SampleTest(
            context.base.observations(judgement.metric, key, relativeTo: baseline),
            context.new.observations(judgement.metric, key, relativeTo: baseline), pairing: context.options.pairing)
    }
}

extension Judgement {
    /// Whether another view of the figure shows the same change, beyond the limit for sure.
    fileprivate func isConfirmed(by interval: ClosedRange<Double>?) -> Bool {
        guard let interval = interval.map(worsening) else { return false }
        return verdict == .regressed ? interval.lowerBound > 1 + worstLimit : interval.upperBound < 1 / (1 + limit)
    }
}

import Foundation

/// Figures of sides that took turns: their evidence is judged already, launch by launch.
extension Judge {
    func judge(_ judgement: inout Judgement, paired series: PairedEvidence.Series) {
        if let mean = TrimmedMean(series.logRatios) {
            let interval = mean.interval(holding: ComparisonOptions.confidence)
            judgement.ratio = exp(mean.mean)
            judgement.interval = exp(interval.lowerBound)...exp(interval.upperBound)
            let p = mean.p(of: 0)
            judgement.p = p
            judgement.adjustedP = min(1, p * Double(paired?.rules.test.figures ?? 1))
        } else if let only = series.logRatios.first {
            judgement.ratio = exp(only)
        }
        guard series.isJudged else {
            // What more time would have shown is open, and nothing that passes.
            if series.mayBeJudgedLater {
                judgement.verdict = .inconclusive
                judgement.reason = series.disturbance?.text ?? ""
            }
            return
        }
        if let verdict = series.verdict {
            judgement.verdict = verdict
            giveReason(&judgement)
        } else if series.logRatios.count < SequentialTest.fewest {
            judgement.verdict = .insufficientData
            judgement.reason =
                series.obstacle
                ?? "\(series.logRatios.count) of the \(SequentialTest.fewest) launches that it takes to judge; a larger --budget allows them"
        } else {
            judgement.verdict = .inconclusive
            judgement.reason = Self.whatWouldDecide(series, judgement)
        }
    }

    private static func whatWouldDecide(_ series: PairedEvidence.Series, _ judgement: Judgement) -> String {
        let have = "\(series.logRatios.count) launches leave it open"
        if let tick = series.coarseTick {
            return
                "\(have): the clock of CPU time ticks every \(Figure.duration(Double(tick))), which hides a change of "
                + "\(Figure.percent(series.threshold)); longer turns (--scale) or a larger --threshold would decide it"
        }
        let wider = judgement.interval.map { max($0.upperBound, 1 / $0.lowerBound) - 1 }
        let threshold = wider.map { "--threshold \(judgement.metric.name)=\(Figure.percent($0 * 1.2))" }
        let launches = series.launchesNeeded.map { needed in
            let more = series.secondsOfLaunch.map { Int(Double(needed - series.logRatios.count) * $0 * 1e9) }
            let time = more.map { ", \(Figure.clock($0)) minutes more" } ?? ""
            return "about \(needed) launches\(time) (--launches, --budget)"
        }
        let ways = [launches, threshold].compactMap(\.self).joined(separator: " or ")
        return "\(have); \(ways) would decide it"
    }
}

extension Judgement {
    /// What would have been judged, had there been time.
    init(unlaunched key: ComparisonKey, _ paired: PairedEvidence) {
        self.init(key, .duration, threshold: paired.threshold(key, .all, .durationOnAllCores))
        verdict = .inconclusive
        reason = "no launch was left for several cores; a larger --budget allows them"
    }
}

import Foundation

extension PairedOutcome {
    /// What is known of one figure of one phase.
    public struct Decision: Sendable {
        /// The phase's name.
        public let phase: String
        /// The metric's name.
        public let metric: String
        /// New over base of each launch, in their order.
        public let launchRatios: [Double]
        /// New over base; nil where there is nothing to divide.
        public let ratio: Double?
        /// Whether it is judged, or shown only.
        public let isJudged: Bool
        /// Nil as long as it is open, or where it is not judged.
        public let verdict: Verdict?
    }

    /// The commit that the working directory has checked out, with a plus if files differ from it; nil outside of git.
    package var commit: String? {
        launches.joined().lazy.compactMap { $0.manifests[.new]?.git }.first.map { $0.commit + ($0.isDirty ? "+" : "") }
    }

    /// Every figure that was looked at, or should have been.
    public var decisions: [Decision] {
        let figures = figures
        let seen = bouts.flatMap { bout in
            bout.judgedPhases.flatMap { phase in
                bout.figures(of: phase).compactMap { figure in
                    let key = bout.key(phase)
                    return figures.series(key, figure.metric).map { series in
                        Decision(
                            phase: key.phase, metric: figure.metric, launchRatios: series.logRatios.map { exp($0) },
                            ratio: TrimmedMean(series.logRatios).map { exp($0.mean) }, isJudged: series.isJudged,
                            verdict: series.isJudged ? series.verdict : nil)
                    }
                }
            }
        }
        return seen
            + figures.unlaunched.map { key in
                Decision(
                    phase: key.phase, metric: PairedFigure.durationOnAllCores.metric, launchRatios: [], ratio: nil,
                    isJudged: true, verdict: nil)
            }
    }
}

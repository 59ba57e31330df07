import Foundation
import Testing

/// The GitHub action: how its script ends, and what it says where.
@Suite(.ownThreads) struct ActionTests {
    private let action: ActionRun

    init() throws { action = try ActionRun() }

    @Test func runWithoutABaselineIsShownAndCanBecomeOne() throws {
        let job = try action.job([:])
        #expect(job.code == 0, "\(job.log)")
        #expect(job.outputs["verdict"] == "not-compared" && job.outputs["csv"] == "bench-results/new.csv")
        #expect(job.summary.hasPrefix("| phase | driver |"))
        #expect(job.log.contains("::notice title=bench::There is no baseline"))
    }

    /// Judges memory alone: on a machine that runs other tests meanwhile, times of a millisecond may differ by any
    /// factor.
    @Test func aBuildThatIsLikeItsBaselinePasses() throws {
        try action.makeBaseline()
        let job = try action.job([
            "BASELINE": "base.csv", "THRESHOLDS": "rss_peak=1000%\n", "STRICT": "true",
            "COMPARE_ARGUMENTS": "--metric\nrss_peak\n--only",
        ])
        #expect(job.code == 0, "\(job.log)")
        #expect(job.outputs["verdict"] == "passed" && job.outputs["exit-code"] == "0")
        #expect(job.summary.hasPrefix("**"))
        #expect(!job.log.contains("::error") && !job.log.contains("::warning"))
    }

    /// The baseline took a nanosecond: however much a busy machine scatters the new times, all are longer by far.
    @Test func regressionFailsTheJobAndIsAnnotated() throws {
        try action.makeBaseline(duration: 1)
        let job = try action.job(["BASELINE": "base.csv", "COMPARE_ARGUMENTS": "--absolute"])
        #expect(job.code == 1, "\(job.log)")
        #expect(job.outputs["verdict"] == "regressed" && job.outputs["exit-code"] == "1")
        #expect(job.log.contains("::error title=bench::regressed"))
        #expect(job.summary.contains("| seed | sqlite | duration |"))
    }

    @Test(arguments: [("false", 0, "warning"), ("true", 4, "error")] as [(String, Int32, String)])
    func tooFewRepetitionsAreAWarningUnlessStrict(strict: String, code: Int32, level: String) throws {
        try action.makeBaseline()
        let job = try action.job(["BASELINE": "base.csv", "REPETITIONS": "1", "STRICT": strict])
        #expect(job.code == code, "\(job.log)")
        #expect(job.outputs["verdict"] == "insufficient-data" && job.outputs["exit-code"] == "4")
        #expect(job.log.contains("::\(level) title=bench::"))
    }

    @Test func missingBaselineIsAnsweredWithHowToMakeOneBeforeAnythingRuns() throws {
        let job = try action.job(["BASELINE": "no/base.csv"])
        #expect(job.code == 2 && job.outputs["verdict"] == "invalid-input" && job.outputs["csv"] == nil)
        #expect(job.summary.contains("bench run quick.json --output no/base.csv"))
        #expect(!action.bench.files.contains("bench-results"))
    }

    @Test(arguments: [
        (["SCENARIO": "nope.json"], "nope.json"), (["SCENARIO": ""], "\"scenario\" is missing"),
        (["STRICT": "yes"], "strict is \"yes\""), (["REPETITIONS": "0"], "--repetitions 0"),
        (["OUTPUT": "quick.json"], "quick.json exists"), (["SCENARIO": "$(touch owned)"], "$(touch owned)"),
        (["RUN_ARGUMENTS": "--allow-debug\n--driver\n; touch owned"], "; touch owned"),
    ])
    func inputThatCannotBeUsedIsAnErrorAndNeverACommand(inputs: [String: String], message: String) throws {
        let job = try action.job(inputs)
        #expect(job.code == 2 && job.outputs["verdict"] == "invalid-input")
        #expect(job.log.contains("::error title=bench::") && job.summary.contains(message), "\(job.log)")
        #expect(!action.bench.files.contains("owned"))
    }
}

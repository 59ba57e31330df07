import Foundation
import TestSupport
import Testing

/// The GitHub action in a pull request: it builds the merge base beside the change, and both take turns.
@Suite(.ownThreads) struct BaseActionTests {
    private let pull: PullRequest
    /// Wide enough for what a busy machine measures.
    private let generous = "cpu=1000%\nduration=1000%"

    init() throws { pull = try PullRequest() }

    @Test func aSlowedPhaseFailsTheJobAndIsNamed() throws {
        try pull.change(to: BenchBinary.slowed)
        let job = try pull.job(["THRESHOLDS": "cpu=50%"])
        #expect(job.code == 1, "\(job.log)")
        #expect(job.outputs["verdict"] == "regressed" && job.outputs["inconclusive"] == "false")
        let error = job.log.split(separator: "\n").first { $0.hasPrefix("::error title=bench::regressed: ") }
        #expect(error?.contains("fetch-sync of sqlite: cpu") == true, "\(job.log)")
        #expect(!job.summary.contains("/bench (\(try pull.head.prefix(7)))"))
        #expect(job.summary.contains("The base is commit \(pull.base), the new side is \(try pull.head)."))
        #expect(job.outputs["csv"] == "bench-results/new.csv")
    }

    @Test func theTemplateForGitLabDoesTheSame() throws {
        try pull.change(to: BenchBinary.slowed)
        let job = try pull.gitLabJob(["THRESHOLDS": "cpu=50%"])
        #expect(job.code == 1, "\(job.log)")
        #expect(job.log.contains("\nbench: error: regressed: ") && job.log.contains("fetch-sync of sqlite: cpu"))
        #expect(job.summary.contains("The base is commit \(pull.base), the new side is \(try pull.head)."))
    }

    /// The second job builds the base no more. The checkout belongs to another user, as in a container.
    @Test func aCommentChangesNothingAndTheBaseIsBuiltOnce() throws {
        try pull.change(to: BenchBinary.url, comment: "Nothing else.")
        for number in 1...2 {
            let inputs = ["THRESHOLDS": generous, "STRICT": "true", "OUTPUT": "-out \(number)/new.csv"]
            let job = try pull.job(inputs, environment: ["GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"])
            #expect(job.code == 0, "\(job.log)")
            #expect(job.outputs["verdict"] == "passed" && job.outputs["inconclusive"] == "false")
            #expect(job.summary.hasPrefix("**no regression**") && job.summary.contains("3 unchanged, "))
        }
        #expect(try pull.builds() == [pull.head, pull.base, pull.head])
        #expect(try pull.repository.git("worktree", "list").split(separator: "\n").count == 1)
    }

    /// A full disk, or a job that was stopped, may leave a part of a program.
    @Test func aKeptBenchThatDoesNotRunIsBuiltAgain() throws {
        try pull.change(to: BenchBinary.url, comment: "Nothing else.")
        let job = try pull.job(["THRESHOLDS": generous])
        #expect(job.code == 0, "\(job.log)")
        let kept = try #require(
            FileManager.default.enumerator(at: pull.cache, includingPropertiesForKeys: nil)?
                .compactMap { $0 as? URL }.first { $0.lastPathComponent == "bench" })
        try WrittenProgram.write(script: "exit 1", to: kept)
        let again = try pull.job(["THRESHOLDS": generous, "OUTPUT": "again/new.csv"])
        #expect(again.code == 0 && again.log.contains("built in a worktree"), "\(again.log)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: pull.cache.path).count == 1)
    }

    @Test func aFolderThatCannotKeepTheBaseIsNamed() throws {
        try pull.change(to: BenchBinary.url, comment: "Nothing else.")
        let job = try pull.job(["CACHE": "/proc/no"])
        #expect(job.code == 2 && job.outputs["verdict"] == "invalid-input", "\(job.log)")
        #expect(job.log.contains("::error title=bench::The folder /proc/no, which keeps the bench of the base"))
    }

    /// A workflow takes commands at the beginning of a line alone.
    @Test func annotationsFollowABuildWhoseOutputEndsWithinALine() throws {
        try pull.change(to: BenchBinary.slowed)
        let job = try pull.job(["THRESHOLDS": "cpu=50%", "BUILD": "\(PullRequest.build); printf done"])
        #expect(job.code == 1 && job.log.contains("done\n::"), "\(job.log)")
        #expect(!job.log.contains("done::"))
    }

    @Test func tooLittleTimeIsInconclusiveAndAnOutputOfItsOwn() throws {
        try pull.change(to: BenchBinary.url, comment: "Nothing else.")
        // No interval of six launches is as narrow.
        let job = try pull.job(["THRESHOLDS": "cpu=0.0001%"])
        #expect(job.code == 0, "\(job.log)")
        #expect(job.outputs["verdict"] == "inconclusive" && job.outputs["inconclusive"] == "true", "\(job.log)")
        #expect(job.log.contains("::warning title=bench::inconclusive"))
    }

    @Test func anAcceptedSlowdownPassesAndIsShownWithItsReason() throws {
        try pull.change(
            to: BenchBinary.slowed, "Check rows\n\nAccept-slowdown: fetch-sync 1000% because rows are checked")
        try pull.repository.commit("Check\n\naccept-slowdown: fetch-sync of sqlite 1000% because it\n  waits")
        let second = try pull.head.prefix(10)
        let job = try pull.job(["THRESHOLDS": "cpu=50%"])
        #expect(job.code == 0, "\(job.log)")
        #expect(job.outputs["verdict"] == "passed" && job.log.contains("::notice title=bench::accepted: "))
        #expect(job.summary.contains("accepts 1000 %: rows are checked; commit \(second) accepts 1000 %: it waits"))
    }

    @Test(.takesLong)
    func aSlowdownBeyondTheBoundFails() throws {
        try pull.change(to: BenchBinary.slowed, "Check\n\nAccept-slowdown: fetch-sync 60% because rows are checked")
        let job = try pull.job(["THRESHOLDS": "cpu=50%"])
        #expect(job.code == 1 && job.outputs["verdict"] == "regressed", "\(job.log)")
        #expect(job.summary.contains("accepts 60 %: rows are checked"), "\(job.summary)")
    }

    @Test func hostileMessagesAreShownAndNeverRun() throws {
        let reason = "`touch owned` $(touch owned) <script>alert(1)</script> ![x](http://example.com) | @all\u{1B}[2J"
        try pull.change(
            to: BenchBinary.slowed,
            "Say \"$(touch owned)\"\n\nAccept-slowdown: fetch-sync 60% because \(reason)\n"
                + "Accept-slowdown: fetch-sync; touch owned\nAccept-slowdown: fetch-snyc 5% because of a slip\n"
                + "::set-output name=verdict::passed")
        let job = try pull.job(["THRESHOLDS": "cpu=50%"])
        #expect(job.code == 1 && job.outputs["verdict"] == "regressed", "\(job.log)")
        #expect(job.summary.contains("\\`touch owned\\` $(touch owned) &lt;script&gt;alert(1)"), "\(job.summary)")
        #expect(!job.summary.contains("<script") && !job.summary.contains("\u{1B}") && !job.summary.contains(" @all"))
        #expect(job.summary.contains("fetch-sync; touch owned: there is no phase; expected PHASE"))
        #expect(job.summary.contains("did you mean fetch-sync?"))
        #expect(!pull.isOwned)
    }

    @Test(arguments: [
        ("-x", "base-ref is \"-x\""), ("nope", "There is no commit \"nope\""), ("$(touch owned)", "fetch-depth: 0"),
        ("a b\nc", "There is no commit"), ("'; touch owned; '", "fetch-depth: 0"),
    ])
    func aRefThatIsNoCommitIsRefused(ref: String, message: String) throws {
        let job = try pull.job(["BASE_REF": ref])
        #expect(job.code == 2 && job.outputs["verdict"] == "invalid-input", "\(job.log)")
        #expect(job.summary.contains(message) && !pull.isOwned, "\(job.summary)")
    }

    @Test(arguments: [
        (["REPETITIONS": "8"], "repetitions belongs to the comparison with a baseline"),
        (["BASE_REF": "main", "BASELINE": "bench.sh"], "base-ref and baseline exclude each other"),
        (["BUILD": "exit 3"], "could not be built with \"exit 3\""), (["BUDGET": "soon"], "--budget soon"),
        (["PATH": "else/bench"], "left no program else/bench"), (["DRIVERS": "-; touch owned"], "-; touch owned"),
        (["SCENARIO": "--help"], "--help"),
    ])
    func whatCannotBeUsedIsNamed(inputs: [String: String], message: String) throws {
        try pull.change(to: BenchBinary.url, comment: "Nothing else.")
        let job = try pull.job(inputs)
        #expect(job.code == 2 && job.outputs["verdict"] == "invalid-input", "\(job.log)")
        #expect(job.summary.contains(message) && !pull.isOwned, "\(job.summary)")
    }

    /// A history that is not there is answered with how to fetch it.
    @Test func aBranchThatIsNotFetchedIsNamed() throws {
        let job = try pull.job([:], environment: ["GITHUB_BASE_REF": "other"])
        #expect(job.code == 2 && job.summary.contains("merge base with \"other\""), "\(job.log)")
        #expect(job.summary.contains("fetch-depth: 0"))
    }

    @Test func aBaseWithoutABenchIsNamedAndLeavesNoWorktree() throws {
        try pull.change(to: BenchBinary.url, comment: "Nothing else.")
        let job = try pull.job(["BUILD": "test -f changed && \(PullRequest.build)"])
        #expect(job.code == 2, "\(job.log)")
        #expect(job.summary.contains("The base commit \(pull.base) could not be built"), "\(job.summary)")
        #expect(job.summary.contains("base-ref: none"))
        #expect(try pull.repository.git("worktree", "list").split(separator: "\n").count == 1)
    }

    @Test func theBaseItselfIsNotCompared() throws {
        let job = try pull.job(["BASE_REF": "main"])
        #expect(job.code == 0 && job.outputs["verdict"] == "not-compared", "\(job.log)")
        #expect(try pull.builds().isEmpty)
    }

    /// The first step of action.yml asks for what a cache needs.
    @Test func theKeyOfACacheIsTheCommitAndTheBuild() throws {
        try pull.change(to: BenchBinary.url, comment: "Nothing else.")
        let jobs = try [[:], ["BUILD": "make"]].map { try pull.job($0, arguments: ["base"]) }
        let keys = jobs.compactMap { $0.outputs["key"] }
        #expect(keys.count == 2 && keys[0] != keys[1] && keys.allSatisfy { $0.hasPrefix("\(pull.base)-") })
        #expect(jobs[0].outputs["kept"]?.hasSuffix("/cache/\(keys[0])") == true)
        #expect(try pull.job(["BASE_REF": "none"], arguments: ["base"]).outputs["key"] == nil)
        #expect(try pull.builds().isEmpty)
    }
}

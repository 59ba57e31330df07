import Foundation
import TestSupport
import Testing

/// What the GitHub action says of the reasons of a slowdown, and what it accepts besides a comparison with the base.
@Suite(.ownThreads) struct ActionReasonsTests {
    private let pull: PullRequest

    init() throws { pull = try PullRequest() }

    /// Links in place of scripts, so that valgrind sees the program itself.
    @Test(.takesLong, .enabled(if: InstructionsCommandTests.hasValgrind))
    func theFunctionThatGrewIsInTheSummaryAndTheError() throws {
        try pull.repository.write(BenchBinary.path, to: "packages/a b/program")
        let start = try pull.repository.commit("Name the program")
        try pull.repository.git("update-ref", "refs/remotes/origin/main", start)
        try pull.repository.write(BenchBinary.slowed.path, to: "packages/a b/program")
        try pull.repository.commit("Slow it down")
        let job = try pull.job([
            "BUILD": "mkdir -p out && ln -sf \"$(cat program)\" out/bench", "THRESHOLDS": "cpu=50%",
            "AB_ARGUMENTS":
                "--allow-debug\n--launches\n6\n--quads\n2\n--scale\n0.1\n--phase\nfetch-sync\n--explain-budget\n10m",
        ])
        #expect(job.code == 1, "\(job.log)")
        #expect(job.summary.contains("**what moved in fetch-sync of sqlite**"), "\(job.summary)")
        #expect(job.summary.contains(/\n  - \+[0-9.]+ %, \+[0-9,]+: .*SlowedSession\.cpuTime/), "\(job.summary)")
        let error = job.log.split(separator: "\n").first { $0.hasPrefix("::error title=bench::regressed: ") }
        #expect(error?.contains(/\(fetch-sync of sqlite: cpu.*\); .+ grew most/) == true, "\(job.log)")
        // Which of them grew most, the loop or the clock that it reads, is the machine's business: the summary's first.
        let first = try #require(job.summary.firstMatch(of: /\n  - \+[0-9.]+ %, \+[0-9,]+: ([A-Za-z0-9 .]+)/)).1
        #expect(error?.contains("; \(first)") == true, "\(first): \(job.log)")
    }

    /// A bench that says what a comparison may say.
    @Test func namesOfFunctionsAreTextInAnError() throws {
        try pull.change(
            toScript: """
                [ "$1" = ab ] || exit 3
                printf '**regressed: 1 figure got worse**  \\n\\n**what moved in f of d**\\n\\n'
                printf -- '- instructions +3.00 %% (1 → 2): see\\n'
                printf -- '  - +3.00 %%, +1,300: a\\\\_b&lt;$(touch owned)&gt; %%0A::x::&amp;&#64;&#35;\\n  - +0.50 %%, +12: second\\n'
                exit 1
                """)
        let job = try pull.job([:])
        let error = job.log.split(separator: "\n").first { $0.hasPrefix("::error title=bench::") }
        #expect(
            error
                == "::error title=bench::regressed: 1 figure got worse; a_b<$(touch owned)> %250A::x::&@# grew most",
            "\(job.log)")
        #expect(job.code == 1 && !pull.isOwned)
    }
}

// MARK: - A baseline

extension ActionReasonsTests {
    /// A bench that keeps the messages that it is given, and finds a slowdown.
    private static let standIn = """
        command=$1
        while [ $# -gt 0 ]; do
            if [ "$1" = --output ]; then echo row >"$2"; fi
            if [ "$1" = --accept-file ]; then cp "$2" given; fi
            shift
        done
        if [ "$command" = run ]; then exit 0; fi
        echo '**regressed: 1 figure got worse**'
        exit 1
        """

    /// Runs a job that compares with a baseline, and returns it with the messages that bench was given.
    private func job(
        base: String = "main", arguments: String = ""
    ) throws -> (job: ActionRun.Job, messages: String?) {
        try pull.change(
            toScript: Self.standIn, "Check rows\n\nAccept-slowdown: fetch-sync 5% because rows are checked")
        try pull.repository.write("own\n", to: "packages/a b/base.csv")
        let bench = pull.folder.appendingPathComponent("bench.sh")
        try WrittenProgram.write(script: Self.standIn, to: bench)
        let job = try pull.job(
            ["BASELINE": "base.csv", "OUTPUT": "new.csv", "COMPARE_ARGUMENTS": arguments],
            environment: ["BENCH": bench.path, "GITHUB_BASE_REF": base])
        #expect(job.code == 1 && job.outputs["verdict"] == "regressed", "\(job.log)")
        return (job, try? String(contentsOf: pull.folder.appendingPathComponent("given"), encoding: .utf8))
    }

    @Test func aBaselineKnowsWhatThePullRequestAccepts() throws {
        let (job, messages) = try job()
        #expect(
            messages?.trimmingCharacters(in: ["\0", "\n"])
                == "\(try pull.head)\nCheck rows\n\nAccept-slowdown: fetch-sync 5% because rows are checked")
        #expect(!job.summary.contains("fetch-depth"))
    }

    @Test func aHistoryThatIsNotThereIsNamedBesideARegression() throws {
        let (job, messages) = try job(base: "other")
        #expect(messages == nil)
        #expect(job.summary.contains("was not read: the merge base with \"other\" is not in this checkout"))
        #expect(job.summary.contains("fetch-depth: 0"))
    }

    @Test func outsideOfPullRequestsNothingIsAccepted() throws {
        let (job, messages) = try job(base: "")
        #expect(messages == nil && !job.summary.contains("fetch-depth"))
    }

    @Test(arguments: ["--accept-file\nbase.csv", "--accept\nseed 5% because so\n--accept-file\nbase.csv"])
    func messagesThatTheJobNamesItselfAreRead(arguments: String) throws {
        #expect(try job(arguments: arguments).messages == "own\n")
    }
}

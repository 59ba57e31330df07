import Foundation
import Testing

/// `.ci/gate`: which base it takes, what it calls, and what fails.
@Suite(.ownThreads) struct GateScriptTests {
    private let checkout: GatedCheckout

    init() throws { checkout = try GatedCheckout() }

    /// The second call builds the base no more.
    @Test func theMergeBaseIsBuiltOnceAndBothComparisonsAreMade() throws {
        for _ in 1...2 {
            let outcome = try checkout.gate()
            #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
            #expect(outcome.output.hasPrefix("The base is \(checkout.base), the merge base with origin/main.\n"))
        }
        #expect(checkout.lines("builds") == [checkout.base])
        let calls = checkout.lines("calls")
        #expect(
            calls.count == 4 && calls[0].hasPrefix("instructions Scenarios/smoke.json --driver managed --base "),
            "\(calls)")
        #expect(calls[1].hasPrefix("ab Scenarios/ci.json --driver managed --budget 300s --base "), "\(calls)")
        #expect(calls.allSatisfy { $0.contains("/\(checkout.base)-") && $0.contains("/bench --accept-file ") })
        #expect(checkout.lines("messages").contains("Accept-slowdown: seed 5% because it checks"))
        #expect(try checkout.repository.git("worktree", "list").split(separator: "\n").count == 1)
        #expect(try checkout.repository.git("status", "--porcelain").isEmpty)
    }

    @Test(arguments: [
        ("exit 1", "exit 0", "bench instructions"), ("exit 0", "exit 1", "bench ab"), ("exit 3", "exit 0", "bench i"),
    ])
    func aRegressionFailsAfterBothComparisons(instructions: String, turns: String, name: String) throws {
        let outcome = try checkout.gate(instructions: instructions, turns: turns)
        #expect(outcome.code == 1 && outcome.errors.contains("gate: regressed or failed: \(name)"), "\(outcome.errors)")
        #expect(checkout.lines("calls").count == 2)
    }

    @Test func whatIsLeftOpenPasses() throws {
        #expect(try checkout.gate(instructions: "exit 4", turns: "exit 4").code == 0)
    }

    @Test(arguments: [
        ("[ \"$2\" != instructions ]", "exit 0", "gate: the base has no bench instructions.\n", 1),
        ("[ \"$1\" != help ]", "exit 0", "gate: the base has no bench ab.\n", 0),
        (
            "exit 0", "echo 'bench: error: --base x: speaks otherwise' >&2; exit 3",
            "gate: bench ab does not work with this base.\n", 2
        ),
    ])
    func aBaseOfAnotherVersionIsNoFaultOfTheChange(base: String, turns: String, message: String, calls: Int) throws {
        let outcome = try checkout.gate(turns: turns, base: base)
        #expect(outcome.code == 0 && outcome.output.contains(message), "\(outcome.output)\(outcome.errors)")
        #expect(checkout.lines("calls").count == calls)
    }

    @Test func aBaseFromBeforeTheGateIsNotCompared() throws {
        // As in this repository, the folder .ci is part of the commit.
        let repository = checkout.repository
        let script = try repository.git("hash-object", "-w", checkout.directory.file("programs/valgrind").path)
        try repository.git("update-index", "--add", "--cacheinfo", "100755,\(script),.ci/gate")
        try repository.git("commit", "--quiet", "--message", "Add a gate")
        let outcome = try checkout.gate()
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.output.hasSuffix("gate: the base is older than the gate, so nothing was compared.\n"))
        #expect(checkout.lines("builds").isEmpty)
        #expect(try checkout.gate(["BENCH_BASE": checkout.base]).code == 0 && !checkout.lines("builds").isEmpty)
    }

    @Test func aBaseThatCannotBeBuiltIsNoFaultOfTheChange() throws {
        let outcome = try checkout.gate(["BENCH_BUILD": "exit 1"])
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(
            outcome.output.contains("gate: the base could not be built, so nothing was compared.\n"),
            "\(outcome.output)")
    }

    @Test func withoutTimeALineSaysSo() throws {
        let outcome = try checkout.gate(["GATE_SECONDS": "-5"])
        #expect(outcome.code == 0 && outcome.output.contains("gate: there is too little time left to compare with it."))
        #expect(checkout.lines("calls").isEmpty && checkout.lines("builds").isEmpty)
    }

    /// On the default branch itself, the last release is what a change is compared with.
    @Test func theDefaultBranchIsComparedWithTheNewestTagBeforeIt() throws {
        let head = try checkout.repository.git("rev-parse", "HEAD")
        try checkout.repository.git("update-ref", "refs/remotes/origin/main", head)
        #expect(try checkout.gate().output == "gate: no base to compare with.\n")
        try checkout.repository.git("tag", "v1.0.0", checkout.base)
        try checkout.repository.git("tag", "v1.1.0", head)
        let outcome = try checkout.gate()
        #expect(outcome.output.hasPrefix("The base is v1.0.0, the newest tag.\n"), "\(outcome.output)")
        #expect(checkout.lines("builds") == [checkout.base])
    }

    @Test func aGivenBaseComesFirst() throws {
        let other = try checkout.repository.commit("Change more")
        try checkout.repository.commit("Change again")
        #expect(
            try checkout.gate(["BENCH_BASE": other]).output.hasPrefix("The base is \(other), as BENCH_BASE says.\n"))
        #expect(checkout.lines("builds") == [other])
        let wrong = try checkout.gate(["BENCH_BASE": "nope"])
        #expect(wrong.code == 2 && wrong.output.contains("There is no commit \"nope\""), "\(wrong.output)")
        let itself = try checkout.gate(["BENCH_BASE": "HEAD"])
        #expect(itself.code == 0 && itself.output.contains("gate: the base is the commit itself"), "\(itself.output)")
    }

    @Test func anOriginThatIsNotKnownYetIsAsked() throws {
        let origin = checkout.directory.file("origin")
        try checkout.repository.git("clone", "--quiet", "--bare", ".", origin.path)
        try checkout.repository.git("--git-dir", origin.path, "symbolic-ref", "HEAD", "refs/heads/main")
        try checkout.repository.git("update-ref", "-d", "refs/remotes/origin/main")
        try checkout.repository.git("remote", "add", "origin", "\(origin.path)/nowhere")
        #expect(try checkout.gate().output == "gate: origin cannot be reached, so there is no base to compare with.\n")
        try checkout.repository.git("remote", "set-url", "origin", origin.path)
        #expect(
            try checkout.gate().output.hasPrefix("The base is \(checkout.base), the merge base with origin/main.\n"))
    }

    @Test func aShallowCloneIsNamed() throws {
        try checkout.repository.git("remote", "add", "origin", "file://\(checkout.repository.folder.path)")
        let head = try checkout.repository.git("rev-parse", "HEAD")
        try checkout.repository.git("update-ref", "refs/remotes/origin/main", head)
        let commits = checkout.repository.folder.appending(path: ".git/shallow")
        try Data("\(head)\n".utf8).write(to: commits)
        let outcome = try checkout.gate()
        #expect(outcome.code == 0 && outcome.output.contains("gate: the clone is shallow"), "\(outcome.output)")
    }

    @Test func whereNoRepositoryIsNothingIsCompared() throws {
        try FileManager.default.removeItem(at: checkout.repository.folder.appending(path: ".git"))
        let outcome = try checkout.gate(["GIT_CEILING_DIRECTORIES": checkout.directory.path])
        #expect(outcome.code == 0 && outcome.output.contains("gate: this folder is in no checkout of git"))
    }
}

import Foundation
import TestSupport
import Testing

/// `.ci/nightly` with steps of the test: which run, and what a state folder keeps.
@Suite(.ownThreads) struct NightlyTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    /// Each step adds its name to the file `log`; `second` fails unless there is a file `fixed`.
    private func nightly(_ arguments: String..., steps: String? = nil) throws -> BenchBinary.Outcome {
        let log = "echo $0 >>'\(folder.file("log").path)'"
        let own = """
            first \(log.replacing("$0", with: "first"))
            second \(log.replacing("$0", with: "second")); test -f '\(folder.file("fixed").path)'

            third    \(log.replacing("$0", with: "third"))
            """
        return try Script.run(
            Repository.url(".ci/nightly").path, arguments, folder: folder.url,
            environment: ["NIGHTLY_STATE": folder.path + "/a state", "NIGHTLY_STEPS": steps ?? own])
    }

    private var log: [String] {
        (try? String(contentsOf: folder.file("log"), encoding: .utf8))?.split(separator: "\n").map(String.init) ?? []
    }

    @Test func aStepThatFailedRunsAgainAndTheOthersDoNot() throws {
        let first = try nightly()
        #expect(first.code == 1 && log == ["first", "second", "third"], "\(first.output)\(first.errors)")
        #expect(first.output.hasPrefix("The steps have never run to their end.\n"))
        #expect(
            first.output.contains("Still to pass: second\n") && first.errors.contains("second failed with exit code 1"))
        try folder.write("", to: "fixed")
        let second = try nightly()
        #expect(second.code == 0 && log == ["first", "second", "third", "second"], "\(second.output)")
        #expect(second.output.contains("first: passed at 20") && second.output.contains("second: failed at 20"))
        let third = try nightly()
        #expect(third.output.hasPrefix("The steps last ran to their end at 20"), "\(third.output)")
        #expect(log.suffix(3) == ["first", "second", "third"] && log.count == 7)
    }

    @Test func aStepThatIsStoppedIsNeitherPassedNorFailed() throws {
        let stopped = try nightly(steps: "first true\nsecond kill -TERM $$\nthird true")
        #expect(stopped.code == 143, "\(stopped.output)\(stopped.errors)")
        let list = try nightly("--list").output
        #expect(list.contains("first: passed at") && list.contains("second: not run yet"), "\(list)")
        #expect(list.contains("third: not run yet") && log.isEmpty)
    }

    @Test func aStepAloneRunsAlthoughItHasPassed() throws {
        for _ in 1...2 { #expect(try nightly("--only", "third").code == 0) }
        #expect(log == ["third", "third"])
        #expect(try nightly("--only", "second").code == 1)
        #expect(try nightly("--list").output.contains("second: failed at"))
    }

    @Test(arguments: [
        (["--only"], "--only needs one step: first second third"),
        (["--only", "fir"], "there is no step \"fir\"; expected one of: first second third"),
        (["--only", "-x"], "there is no step \"-x\""), (["first"], "unexpected argument \"first\""),
        ([""], "an empty argument"),
    ])
    func mistakesAreNamedAndRunNothing(arguments: [String], message: String) throws {
        let environment = [
            "NIGHTLY_STATE": folder.path + "/state", "NIGHTLY_STEPS": "first true\nsecond true\nthird true",
        ]
        let outcome = try Script.run(
            Repository.url(".ci/nightly").path, arguments, folder: folder.url, environment: environment)
        #expect(outcome.code == 2 && outcome.errors.contains(message), "\(outcome.errors)")
        #expect(outcome.output.isEmpty)
    }

    /// The steps of the project themselves have commands that exist.
    @Test func theStepsCallTargetsOfTheMakefile() throws {
        let script = try String(contentsOf: Repository.url(".ci/nightly"), encoding: .utf8)
        let makefile = try String(contentsOf: Repository.url("Makefile"), encoding: .utf8)
        let targets = Set(script.matches(of: /make ([a-z-]+)/).map { String($0.1) })
        #expect(targets.isSuperset(of: ["fuzz", "test", "gate-study"]))
        for target in targets { #expect(makefile.contains("\n\(target):"), "\(target)") }
        for variable in Set(script.matches(of: /([A-Z]+_[A-Z]+)=[.0-9]/).map { String($0.1) }) {
            #expect(makefile.contains("\n\(variable) ?="), "\(variable)")
        }
    }
}

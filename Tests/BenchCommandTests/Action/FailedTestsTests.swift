import Foundation
import TestSupport
import Testing

/// `.ci/test` with commands of the test: what its last lines say, and its exit code.
@Suite(.ownThreads) struct FailedTestsTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func run(_ command: String) throws -> BenchBinary.Outcome {
        try Script.run(Repository.url(".ci/test").path, ["sh", "-c", command], folder: folder.url)
    }

    @Test func whatFailedIsRepeatedAtTheEnd() throws {
        let outcome = try run(
            """
            echo '✘ Test first() recorded an issue at A.swift:1:2: Expectation failed: 1 == 2'
            echo '✘ Suite ATests failed after 1 seconds with 1 issue.'
            echo 'A.swift:9:1: error: no such thing' >&2
            echo '✔ Test second() passed.'
            exit 3
            """)
        let end = """

            == What failed
            ✘ Test first() recorded an issue at A.swift:1:2: Expectation failed: 1 == 2
            A.swift:9:1: error: no such thing

            """
        #expect(outcome.code == 3 && outcome.output.hasSuffix("✔ Test second() passed.\n\(end)"), "\(outcome.output)")
        #expect(try folder.names() == [".build"])
    }

    @Test func noMoreThanFortyLinesAreRepeated() throws {
        let lines = try run("for n in $(seq 50); do echo \"✘ Test number $n\"; done; exit 1").output.split(
            separator: "\n")
        #expect(lines.suffix(2) == ["✘ Test number 40", "and 10 more lines; .build/test.log has all of them"])
        #expect(lines.count == 50 + 1 + 41)
    }

    @Test func aSuccessAddsNothing() throws {
        let outcome = try run("echo '✔ Test run'; echo '✘ Test of a known issue'")
        #expect(outcome.code == 0 && outcome.output == "✔ Test run\n✘ Test of a known issue\n", "\(outcome.output)")
    }

    /// The process that ends without a word of its own fails too.
    @Test func aCrashIsAFailure() throws {
        let outcome = try run("echo 'Fatal error: out of range'; kill -SEGV $$")
        #expect(outcome.code == 139 && outcome.output.hasSuffix("\n== What failed\nFatal error: out of range\n"))
    }

    @Test func theTargetsThatTestRunThroughTheScript() throws {
        let makefile = try String(contentsOf: Repository.url("Makefile"), encoding: .utf8)
        let calls = makefile.split(separator: "\n").filter { $0.hasPrefix("\t") && $0.contains("swift test ") }
        let whole = calls.filter { !$0.contains("--package-path") && !$0.contains("--filter") }
        #expect(whole.count == 2 && whole.allSatisfy { $0.contains(".ci/test swift test ") }, "\(calls)")
    }
}

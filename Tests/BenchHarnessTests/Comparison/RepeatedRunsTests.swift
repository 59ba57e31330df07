import Foundation
import TestSupport
import Testing

@testable import BenchHarness

@Suite struct RepeatedRunsTests {
    private let folder: TemporaryDirectory
    private let file: URL
    private let request: RunRequest

    init() throws {
        folder = try TemporaryDirectory()
        file = folder.file("fake.repeats.jsonl")
        request = Self.request(FakeDriver.scenario, in: folder)
    }

    private static func request(_ scenario: Scenario, in folder: TemporaryDirectory) -> RunRequest {
        RunRequest(
            scenario: scenario, drivers: [FakeDriver()], output: folder.file("x.csv"), storeParent: folder.url,
            workerCommand: ["/bin/sh"])
    }

    /// A run with one row for each duration.
    private func run(_ milliseconds: [Double], of request: RunRequest) -> RecordedRun {
        var fixture = ComparisonFixture()
        fixture.add("fetch", durationsMilliseconds: milliseconds) { $0.error = "a comma, \"quotes\"\nand a line" }
        fixture.manifest = Manifest(request, run: fixture.id)
        return fixture.run
    }

    @Test func laterCallsAddToTheFile() throws {
        let runs = [run([1, 2], of: request), run([3], of: request), run([4], of: request)]
        do {
            let first = try RepeatedRuns(file, of: request)
            #expect(first.runs.isEmpty)
            for run in runs.prefix(2) { try first.append(run) }
        }
        do {
            let second = try RepeatedRuns(file, of: request)
            #expect(second.runs.map(\.rows) == runs.prefix(2).map(\.rows))
            try second.append(runs[2])
        }
        let third = try RepeatedRuns(file, of: request)
        #expect(third.runs.map(\.rows) == runs.map(\.rows))
        #expect(third.runs.map { $0.manifest?.run } == runs.map { $0.manifest?.run })
    }

    @Test func aPartOfALineIsRemoved() throws {
        do { try RepeatedRuns(file, of: request).append(run([1], of: request)) }
        let whole = try Data(contentsOf: file)
        try (whole + whole.prefix(whole.count / 2)).write(to: file)
        do {
            let runs = try RepeatedRuns(file, of: request)
            #expect(runs.runs.count == 1)
            try runs.append(run([2], of: request))
        }
        #expect(try RepeatedRuns(file, of: request).runs.count == 2)
        #expect(try Data(contentsOf: file).prefix(whole.count) == whole)
    }

    @Test func otherRunsAreRefused() throws {
        do { try RepeatedRuns(file, of: request).append(run([1], of: request)) }
        let written = try Data(contentsOf: file)
        var (larger, repeated) = (FakeDriver.scenario, FakeDriver.scenario)
        larger.records *= 2
        repeated.repetitions += 1
        for (scenario, what) in [(larger, "another scenario: "), (repeated, "\(repeated.repetitions - 1) repetitions")]
        {
            let error = #expect(throws: RunError.self) {
                try RepeatedRuns(file, of: Self.request(scenario, in: folder))
            }
            #expect(error?.description.contains("fake.repeats.jsonl:1: a run of \(what)") == true, "\(error as Any)")
            #expect(error?.description.hasSuffix("give --output another file, or --force to replace the runs") == true)
        }
        var other = request
        other.workerCommand = ["/bin/cat"]
        let error = #expect(throws: RunError.self) { try RepeatedRuns(file, of: other) }
        #expect(error?.description.contains("a run of another build of the program; ") == true, "\(error as Any)")
        #expect(try Data(contentsOf: file) == written)
        #expect(try RepeatedRuns(file, of: other, replaces: true).runs.isEmpty)
    }

    @Test(arguments: ["{}\n", "run,scenario\n", "\n\n[]\n"]) func anotherFileIsRefused(_ text: String) throws {
        try Data(text.utf8).write(to: file)
        let error = #expect(throws: RunError.self) { try RepeatedRuns(file, of: request) }
        #expect(
            error?.description.contains("fake.repeats.jsonl:1: not a run that bench noise --for recorded: ") == true,
            "\(error as Any)")
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }

    @Test func onlyOneProgramAddsToAFile() throws {
        let first = try RepeatedRuns(file, of: request)
        let error = #expect(throws: RunError.self) { try RepeatedRuns(file, of: request) }
        #expect(error?.description.hasSuffix("another bench noise is adding to it; wait for its end") == true)
        withExtendedLifetime(first) {}
    }

    @Test func aCopyOfTheDescriptorDoesNotKeepTheFileLocked() throws {
        var first: RepeatedRuns? = try RepeatedRuns(file, of: request)
        let copy = try #require(OpenFile.descriptor(of: file.path).map { dup($0) })
        defer { close(copy) }
        withExtendedLifetime(first) {}
        first = nil
        _ = try RepeatedRuns(file, of: request)
    }
}

import BenchCommand
import Foundation
import TestSupport
import Testing

/// The GitHub action where it builds no program: it takes that of a release.
@Suite(.ownThreads) struct ReleasedActionTests {
    private let action: ActionRun
    private let releases: ReleaseFolder

    init() throws {
        action = try ActionRun()
        releases = try ReleaseFolder(version: BenchCommand.version)
    }

    /// Runs a job without a base. A build would say that it was tried.
    private func job(_ inputs: [String: String], in address: String) throws -> ActionRun.Job {
        try releases.writeProgram("#!/bin/sh\necho \"tried: swift $*\"\nexit 1\n", to: "tools/swift")
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let own = ["BENCH": "", "BENCH_RELEASES": address, "PATH": "\(releases.directory.file("tools").path):\(path)"]
        return try action.job(inputs, environment: own)
    }

    @Test func theReleaseOfTheVersionOfTheActionIsTaken() throws {
        let address = try releases.publish()
        let job = try job([:], in: address)
        #expect(job.code == 0 && job.outputs["verdict"] == "not-compared", "\(job.log)")
        #expect(job.log.hasPrefix("bench of the release \(BenchCommand.version): \(address)/v"), "\(job.log)")
        #expect(job.summary.hasPrefix("| phase | driver |") && !job.log.contains("tried:"))
    }

    @Test func withoutAReleaseBenchIsBuilt() throws {
        let job = try job([:], in: "file:///nowhere")
        #expect(job.log.contains("bench is built, because there is no release at file:///nowhere/v"), "\(job.log)")
        #expect(
            job.log.contains(
                "tried: swift build --package-path \(Repository.root.path(percentEncoded: false).dropLast())"))
        #expect(job.outputs["verdict"] == "invalid-input" && job.summary.contains("bench could not be built"))
    }

    @Test(arguments: [
        (["VERSION": "none"], "bench is built, because bench-version is none."),
        (["RELEASES": ""], "bench is built, because this copy of the action has no address of releases."),
    ])
    func aReleaseIsTakenOnlyWhereOneIsWanted(inputs: [String: String], message: String) throws {
        let job = try job(inputs, in: try releases.publish())
        #expect(job.log.contains(message) && job.log.contains("tried: swift build"), "\(job.log)")
    }

    @Test func aDamagedReleaseIsRefusedAndNotRun() throws {
        let address = try releases.publish()
        let archive = releases.directory.file("releases/v\(releases.version)/\(try releases.name).tar.gz")
        try (try Data(contentsOf: archive) + [0]).write(to: archive)
        let job = try job([:], in: address)
        #expect(job.code == 2 && job.outputs["verdict"] == "invalid-input", "\(job.log)")
        #expect(job.summary.contains("does not match its checksum") && !job.log.contains("tried:"))
    }

    /// The sum of another file says nothing of this one.
    @Test func aChecksumOfAnotherFileIsRefused() throws {
        let address = try releases.publish()
        let sum = releases.directory.file("releases/v\(releases.version)/\(try releases.name).tar.gz.sha256")
        try Data((String(repeating: "0", count: 64) + "  other\n").utf8).write(to: sum)
        #expect(try job([:], in: address).summary.contains("does not match its checksum"))
    }

    @Test(arguments: ["../0.1.0", "1; touch owned", "-x", "$(touch owned)", "1.0/x"])
    func aVersionThatIsNoneIsRefused(version: String) throws {
        let job = try job(["VERSION": version], in: "file:///nowhere")
        #expect(job.code == 2 && job.summary.contains("bench-version is \"\(version)\""), "\(job.log)")
        #expect(!action.bench.files.contains("owned") && !job.log.contains("tried:"))
    }

    /// The sources of the action would build another version than the one that is asked for.
    @Test func aGivenVersionThatIsMissingIsNotReplaced() throws {
        let job = try job(["VERSION": "99.0.0"], in: "file:///nowhere")
        #expect(
            job.code == 2 && job.summary.contains("bench-version is 99.0.0, and there is no release at"), "\(job.log)")
        #expect(!job.log.contains("tried:"))
    }

    @Test func aProgramThatDoesNotRunHereIsReplacedByABuild() throws {
        let other = try ReleaseFolder(version: releases.version)
        let program = other.directory.file("program")
        let works = try String(contentsOf: program, encoding: .utf8)
        // It runs where it is packed alone.
        try Data(
            works.replacing("case $1", with: "case $0 in *dist* | program | ./program) ;; *) exit 1 ;; esac\ncase $1")
                .utf8
        )
        .write(to: program)
        let job = try job([:], in: try other.publish())
        #expect(job.log.contains("does not run on this system") && job.log.contains("tried: swift build"), "\(job.log)")
    }
}

import BenchCommand
import Foundation
import TestSupport
import Testing

/// `.ci/release`: which versions must agree, and what a release holds.
@Suite(.ownThreads) struct ReleaseTests {
    private let folder: ReleaseFolder

    init() throws { folder = try ReleaseFolder() }

    @Test func theVersionsOfThisRepositoryAgree() throws {
        let outcome = try Script.run(Repository.url(".ci/release").path, ["check"])
        #expect(outcome.code == 0 && outcome.output == "\(BenchCommand.version)\n", "\(outcome.errors)")
    }

    @Test func aTagOfTheVersionIsAccepted() throws {
        let outcome = try folder.release("check", "v1.2.3")
        #expect(outcome.code == 0 && outcome.output == "1.2.3\n", "\(outcome.errors)")
        #expect(try folder.release("notes").output == "\n- New.\n\n")
    }

    @Test(arguments: ["1.2.3", "v1.2.4", "v1.2.3-rc", "release"])
    func anotherTagIsRefused(tag: String) throws {
        let outcome = try folder.release("check", tag)
        #expect(outcome.code == 2 && outcome.output.isEmpty)
        #expect(outcome.errors.contains("the tag is \(tag), and bench --version says 1.2.3; expected v1.2.3"))
    }

    @Test(arguments: [
        ("## [1.3.0] - 2026-02-03\n", "the newest entry of CHANGELOG.md is 1.3.0, and bench --version says 1.2.3"),
        ("## 1.2.3\n", "CHANGELOG.md begins with \"## 1.2.3\"; expected \"## [1.2.3] - YEAR-MONTH-DAY\""),
        ("", "begins with \"\""),
        (
            "## [Unreleased]\n\n- More.\n\n## [1.2.3] - 2026-01-02\n",
            "unreleased changes; move them to the entry of 1.2.3"
        ),
    ])
    func aChangelogThatSaysOtherwiseIsRefused(entries: String, message: String) throws {
        try folder.writeChangelog(entries)
        let outcome = try folder.release("check", "v1.2.3")
        #expect(outcome.code == 2 && outcome.errors.contains(message), "\(outcome.errors)")
    }

    /// Between two releases, changes gather above the newest entry.
    @Test func unreleasedChangesAreRefusedOnlyWithATag() throws {
        try folder.writeChangelog("## [Unreleased]\n\n- More.\n\n## [1.2.3] - 2026-01-02\n")
        #expect(try folder.release("check").code == 0)
    }

    @Test(arguments: ["1.2", "1.2.3 or so", ""])
    func aVersionOfAnotherFormIsRefused(version: String) throws {
        let outcome = try ReleaseFolder(version: version).release("check")
        #expect(outcome.code == 2 && outcome.errors.contains("has the version \"\(version)\""), "\(outcome.errors)")
    }

    @Test func aReleaseHasTheProgramWithWhatItUses() throws {
        let archive = try folder.pack()
        let list = try Script.run("/usr/bin/env", ["tar", "-tzf", archive.path]).output.split(separator: "\n")
        let files = [
            "CHANGELOG.md", "LICENSE", "NOTICE", "Scenarios/", "Scenarios/quick.json", "bench", "completions/",
        ]
        let completions = ["completions/_bench", "completions/bench.bash", "completions/bench.fish"]
        #expect(list.map(String.init) == ([""] + files + completions).map { "bench-1.2.3-\(system)/\($0)" })
    }

    /// The system as the name of a file says it.
    private var system: String { (try? folder.name.replacing("bench-1.2.3-", with: "")) ?? "" }

    @Test func theChecksumIsThatOfTheArchive() throws {
        let archive = try folder.pack()
        let outcome = try Script.run(
            "/usr/bin/env", ["sha256sum", "--check", archive.lastPathComponent + ".sha256"],
            folder: archive.deletingLastPathComponent())
        #expect(outcome.output == "\(archive.lastPathComponent): OK\n", "\(outcome.errors)")
    }

    @Test func theSameFilesGiveTheSameArchive() throws {
        let first = try Data(contentsOf: folder.pack())
        let later = [FileAttributeKey.modificationDate: Date(timeIntervalSince1970: 1_750_000_000)]
        for path in ["Scenarios/quick.json", "program"] {
            try FileManager.default.setAttributes(later, ofItemAtPath: folder.directory.file(path).path)
        }
        #expect(try Data(contentsOf: folder.pack()) == first)
    }

    @Test func aProgramOfAnotherVersionIsNotPacked() throws {
        try folder.writeProgram("#!/bin/sh\necho bench 1.2.2\n", to: "program")
        let outcome = try folder.release("pack", "program")
        #expect(
            outcome.code == 2 && outcome.errors.contains("says \"bench 1.2.2\"; expected \"bench 1.2.3\""),
            "\(outcome.errors)")
        let missing = try folder.release("pack", "nowhere")
        #expect(missing.code == 2 && missing.errors.contains("nowhere is no program"))
    }

    /// What builds cannot write, and what can write runs nothing of the repository.
    @Test func theWorkflowWritesOnlyWhereItRunsNoCode() throws {
        let text = try String(contentsOf: Repository.url(".github/workflows/release.yml"), encoding: .utf8)
        let parts = text.components(separatedBy: "\n  publish:\n")
        #expect(parts.count == 2 && parts[0].contains("\npermissions:\n  contents: read\n"))
        #expect(!parts[0].contains(": write") && parts[0].contains("persist-credentials: false"))
        #expect(parts[0].contains("tags: [\"v*\"]") && parts[0].contains(".ci/release check \"$GITHUB_REF_NAME\""))
        #expect(parts[1].contains("contents: write") && !parts[1].contains("checkout") && !parts[1].contains(".ci/"))
        for line in text.split(separator: "\n") where line.contains("${{") {
            #expect(line.hasPrefix("          GH_TOKEN: "))
        }
    }

    @Test func theContainerTakesTheFilesOfARelease() throws {
        let text = try String(contentsOf: Repository.url(".ci/Containerfile"), encoding: .utf8)
        #expect(text.contains("\nADD bench-${VERSION}-linux-x86_64.tar.gz /opt/\n"))
        #expect(text.contains("\nENV PATH=/opt/bench-${VERSION}-linux-x86_64:"))
        #expect(text.contains("--build-arg VERSION=\(BenchCommand.version) "))
    }
}

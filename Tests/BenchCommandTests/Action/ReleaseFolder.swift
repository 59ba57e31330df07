import Foundation
import TestSupport

/// A folder with what `.ci/release` reads, and a program of the version.
struct ReleaseFolder {
    let directory: TemporaryDirectory
    let version: String

    /// Makes the folder, with a changelog whose newest entry is that of the version.
    init(version: String = "1.2.3") throws {
        directory = try TemporaryDirectory()
        self.version = version
        for path in [".ci/NOTICE", "LICENSE"] {
            try write(String(contentsOf: Repository.url(path), encoding: .utf8), to: path)
        }
        try writeProgram(String(contentsOf: Repository.url(".ci/release"), encoding: .utf8), to: ".ci/release")
        try write("    public static let version = \"\(version)\"\n", to: "Sources/BenchCommand/BenchCommand.swift")
        try write("{}\n", to: "Scenarios/quick.json")
        try writeChangelog(
            "## [Unreleased]\n\n## [\(version)] - 2026-01-02\n\n- New.\n\n## [1.0.0] - 2025-01-02\n\n- Old.\n")
        // It completes itself for any shell, and otherwise does what the built one does.
        try writeProgram(
            "#!/bin/sh\ncase $1 in --version) echo 'bench \(version)' ;; completions) echo \"$2\" ;; "
                + "*) exec '\(BenchBinary.path)' \"$@\" ;; esac\n", to: "program")
    }

    /// Writes a file, whose folder is created.
    func write(_ text: String, to path: String) throws {
        let file = directory.file(path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    /// Writes the changelog with these entries.
    func writeChangelog(_ entries: String) throws { try write("# Changelog\n\n\(entries)", to: "CHANGELOG.md") }

    /// Writes a program, whose folder is created.
    func writeProgram(_ text: String, to path: String) throws {
        try WrittenProgram.write(text, to: directory.file(path))
    }

    /// Runs the script.
    func release(_ arguments: String...) throws -> BenchBinary.Outcome {
        try Script.run(
            directory.file(".ci/release").path, arguments, folder: directory.url,
            environment: ["SOURCE_DATE_EPOCH": "1700000000"])
    }

    /// The name of the files on this system, without their ends.
    var name: String { get throws { try release("name", version).output.trimmingCharacters(in: .newlines) } }

    /// Packs the program.
    ///
    /// - Returns: The archive.
    func pack() throws -> URL {
        _ = try release("pack", "program")
        return directory.file(".build/dist/\(try name).tar.gz")
    }

    /// Packs the program, and puts the files where a download finds them.
    ///
    /// - Returns: The address of the releases.
    func publish() throws -> String {
        let archive = try pack()
        let releases = directory.file("releases")
        let place = releases.appending(path: "v\(version)")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        for file in [archive, archive.appendingPathExtension("sha256")] {
            try FileManager.default.copyItem(at: file, to: place.appending(path: file.lastPathComponent))
        }
        return releases.absoluteString.trimmingSuffix("/")
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}

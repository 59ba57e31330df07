import Foundation
import Testing

@Suite(.ownThreads) struct GitFactsTests {
    @Test func resultsThatAreWrittenOverAreNoChangesOfWhatIsMeasured() throws {
        let bench = try BenchBinary()
        try git("init", "-q", in: bench.folder)
        let source = bench.folder.appendingPathComponent("source")
        try Data("1".utf8).write(to: source)
        #expect(try bench.measure("kept.csv", repetitions: 1).code == 0)
        try git("add", ".", in: bench.folder)
        try git("-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-qm", "kept", in: bench.folder)
        #expect(try isDirty(bench) == false)
        try Data("2".utf8).write(to: source)
        #expect(try isDirty(bench) == true)
    }

    /// What the manifest says after a run over the kept results, which are then as they were.
    private func isDirty(_ bench: BenchBinary) throws -> Bool? {
        let outcome = try bench.run(
            "run", BenchBinary.tiny, "--allow-debug", "--quiet", "--driver", "sqlite", "--repetitions", "1", "--force",
            "--output", "kept.csv")
        #expect(outcome.code == 0, "\(outcome.errors)")
        let manifest = try JSONSerialization.jsonObject(
            with: Data(contentsOf: bench.folder.appendingPathComponent("kept.manifest.json")))
        try git("checkout", "-q", "--", "kept.csv", "kept.manifest.json", in: bench.folder)
        return ((manifest as? [String: Any])?["git"] as? [String: Any])?["is_dirty"] as? Bool
    }

    private func git(_ arguments: String..., in folder: URL) throws {
        let outcome = try Script.run("/usr/bin/env", ["git"] + arguments, folder: folder)
        try #require(outcome.code == 0, "\(outcome.errors)")
    }
}

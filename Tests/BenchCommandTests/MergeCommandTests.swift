import Foundation
import Testing

@Suite(.ownThreads) struct MergeCommandTests {
    @Test(arguments: ["shard-0.csv", "shard-0", "./shard-0.txt"])
    func theFilesOfAShardAreNotReplaced(output: String) throws {
        let bench = try BenchBinary()
        try Data("run\n".utf8).write(to: bench.folder.appendingPathComponent("shard-0.csv"))
        let outcome = try bench.run("merge", "shard-0.csv", "--output", output, "--force")
        #expect(outcome.code == 2 && outcome.errors.contains("would replace shard-0.csv or a file beside it"))
    }

    @Test(arguments: ["load.csv", "load.manifest.json", "load.hlog"])
    func existingFilesOfALoadAreKeptUnlessForced(name: String) throws {
        let bench = try BenchBinary()
        try Data("run\n".utf8).write(to: bench.folder.appendingPathComponent("shard-0.csv"))
        try Data("mine".utf8).write(to: bench.folder.appendingPathComponent(name))
        let outcome = try bench.run("merge", "shard-0.csv", "--output", "load.csv")
        #expect(outcome.code == 2 && outcome.errors.hasSuffix("\(name) exists; --force replaces it\n"))
    }
}

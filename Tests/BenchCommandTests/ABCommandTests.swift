import Foundation
import Testing

@Suite struct ABCommandTests {
    @Test func aSlowedBuildIsCaughtPairByPair() throws {
        let bench = try BenchBinary()
        let outcome = try bench.run(
            "ab", BenchBinary.tiny, "--allow-debug", "--quiet", "--driver", "sqlite", "--new",
            BenchBinary.slowed.path, "--phase", "fetch-sync", "--metric", "duration", "--only", "--pairs", "8",
            "--output", ".")
        #expect(outcome.code == 1, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("Wilcoxon's signed-rank test"))
        #expect(bench.files == ["base.csv", "base.manifest.json", "new.csv", "new.manifest.json"])
        // What was kept can be compared again.
        #expect(try bench.run("compare", "base.csv", "new.csv", "--phase", "fetch-sync").code == 1)
    }

    @Test func twoDriversStandAgainstEachOther() throws {
        let bench = try BenchBinary()
        let outcome = try bench.run(
            "ab", BenchBinary.tiny, "--allow-debug", "--quiet", "--base-driver", "sqlite",
            "--new-driver", "sqlite-tuned", "--phase", "seed", "--pairs", "3")
        #expect(outcome.code == 4, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.hasPrefix("base: sqlite"))
        #expect(outcome.output.contains("sqlite → sqlite-tuned"))
        #expect(outcome.output.contains("3 pairs are too few to judge 2 figures; 7 pairs are enough"))
        #expect(bench.files.isEmpty)
    }

    @Test func aProgramThatIsNoBenchIsNamed() throws {
        let bench = try BenchBinary()
        let outcome = try bench.run("ab", BenchBinary.tiny, "--allow-debug", "--quiet", "--base", "/bin/false")
        #expect(outcome.code == 2)
        #expect(outcome.errors.contains("--base /bin/false: ended with exit code 1"), "\(outcome.errors)")
        #expect(bench.files.isEmpty)
    }

    @Test func interruptionLeavesNothingBehind() throws {
        let bench = try BenchBinary()
        let (process, _, errors) = try bench.start([
            "ab", BenchBinary.tiny, "--allow-debug", "--base-driver", "sqlite", "--new-driver", "managed",
        ])
        _ = errors.fileHandleForReading.availableData
        kill(process.processIdentifier, SIGTERM)
        let rest = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 130)
        #expect(rest.contains("interrupted before a verdict"))
        #expect(bench.files.isEmpty)
    }
}

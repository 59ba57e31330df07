import BenchHarness
import Foundation
import Processes
import Testing

@Suite(.ownThreads) struct BenchBinaryTests {
    @Test func runWritesAVerifiedRowForEachDriverPhaseAndRepetition() throws {
        let bench = try BenchBinary()
        let outcome = try bench.run(
            "run", BenchBinary.smoke, "--allow-debug", "--output", "out.csv", "--scale", "0.1", "--repetitions", "1",
            "--driver", "sqlite", "--cache-kib", "500", "--quiet")
        #expect(outcome.code == 0, "\(outcome.errors)")
        let spectra = ["out-sqlite-merge.hgrm", "out-sqlite-update-chunked.hgrm"]
        #expect(bench.files == spectra + ["out.csv", "out.manifest.json"])
        for name in spectra {
            let spectrum = try PercentileSpectrum(contentsOf: bench.folder.appendingPathComponent(name))
            #expect(spectrum.count > 1 && spectrum.points[0].milliseconds > 0)
        }
        let rows = try bench.rows()
        #expect(rows.count == 10)
        #expect(rows.allSatisfy { $0.status == .ok && $0.verified == true })
        #expect(outcome.output.contains("out.csv"))
        let manifest = try String(contentsOf: bench.folder.appendingPathComponent("out.manifest.json"), encoding: .utf8)
        #expect(manifest.contains("\"cache_size_kib\" : 500"))
    }

    @Test(arguments: [
        ["rnu"], ["run"], ["run", "nope.json"], ["run", "."], ["run", BenchBinary.smoke, "--driver", "sqlit"],
        ["run", BenchBinary.smoke, "--output", "."], ["run", BenchBinary.smoke, "--output", "missing/out.csv"],
        ["run", BenchBinary.smoke, "--output", "/proc/out.csv"], ["run", BenchBinary.smoke, "--repetitions", "0"],
        ["run", BenchBinary.smoke, "--scale", "nan"], ["run", BenchBinary.smoke, "--store-dir", "missing"],
        ["run", BenchBinary.smoke, "--cache-kib", "0"],
        ["validate", "nope"],
    ])
    func mistakeIsAnsweredWithOneLineAndNothingIsWritten(arguments: [String]) throws {
        let bench = try BenchBinary()
        let (process, _, errors) = try bench.start(arguments + (arguments[0] == "run" ? ["--allow-debug"] : []))
        let text = errors.readText()
        #expect(process.awaitEnd() == 2)
        #expect(text.hasPrefix("bench: error: ") && text.split(separator: "\n").count == 1)
        #expect(bench.files.isEmpty)
    }

    @Test func schemaIsPassedOverByValidate() throws {
        let bench = try BenchBinary()
        let outcome = try bench.run("validate", BenchBinary.scenario("schema"), BenchBinary.smoke)
        #expect(outcome.code == 0)
        #expect(outcome.output.contains("smoke.json: valid") && !outcome.output.contains("schema.json"))
        #expect(outcome.errors.contains("schema.json is a JSON schema, not a scenario; skipped"))
    }

    @Test func helpTakesTheNameOfACommand() throws {
        let bench = try BenchBinary()
        let help = try bench.run("help", "run")
        #expect(help.code == 0 && help.output.contains("--find-max"))
        let unknown = try bench.run("help", "rnu")
        #expect(unknown.code == 2 && unknown.errors.contains("did you mean \"run\"?"))
    }

    @Test func aScenarioFromAPipeIsValidated() throws {
        let bench = try BenchBinary()
        let script = "\"$0\" validate <(cat \"$1\")"
        let outcome = try bench.run(URL(filePath: "/bin/bash"), ["-c", script, BenchBinary.path, BenchBinary.smoke])
        #expect(outcome.code == 0 && outcome.output.hasSuffix(": valid\n"), "\(outcome.errors)")
    }

    /// Its manifest would have a name that no file system takes.
    @Test func aNameThatIsTooLongForAllFilesIsRefused() throws {
        let bench = try BenchBinary()
        for length in [225, 247, 251, 252] {
            let name = String(repeating: "x", count: length) + ".csv"
            let outcome = try bench.run("run", BenchBinary.tiny, "--allow-debug", "--output", name)
            #expect(outcome.code == 2 && outcome.errors.contains("is too long for a name"), "\(outcome.errors)")
        }
        #expect(bench.files.isEmpty)
    }

    @Test(arguments: ["/dev/stdout", "/dev/stderr", "/dev/fd/1", "/proc/self/fd/1"])
    func whatIsOpenAlreadyIsNoPlaceForResults(path: String) throws {
        let bench = try BenchBinary()
        let run = ["run", BenchBinary.tiny, "--allow-debug", "--output", path, "--force"]
        for arguments in [run, ["report", BenchBinary.million, "--output", path, "--force"]] {
            let outcome = try bench.run(arguments)
            #expect(outcome.code == 2 && outcome.errors.contains("is no file of its own"), "\(outcome.errors)")
        }
    }

    @Test func runsThatStartTogetherHaveFilesOfTheirOwn() throws {
        let bench = try BenchBinary()
        _ = try bench.makeFolder("Results")
        let arguments = ["run", BenchBinary.tiny, "--allow-debug", "--quiet", "--driver", "sqlite"]
        let running = try (0..<4).map { _ in try bench.start(arguments) }
        for outcome in running.map({ BenchBinary.Outcome($0) }) { #expect(outcome.code == 0, "\(outcome.errors)") }
        let files = try FileManager.default.contentsOfDirectory(atPath: bench.folder.path + "/Results")
        #expect(files.count { $0.hasSuffix(".csv") } == 4 && files.count { $0.hasSuffix(".manifest.json") } == 4)
    }

    @Test func existingResultsAreKeptUnlessForced() throws {
        let bench = try BenchBinary()
        // Those of a result `out` would be in the way, too.
        for name in ["out.manifest.json", "out-sqlite-merge.hgrm", "out.csv"] {
            let file = bench.folder.appendingPathComponent(name)
            try Data("mine".utf8).write(to: file)
            let outcome = try bench.run("run", BenchBinary.smoke, "--allow-debug", "--output", "out.csv")
            #expect(outcome.code == 2)
            #expect(outcome.errors.hasSuffix("\(name) exists; --force replaces it\n"))
            #expect(try String(contentsOf: file, encoding: .utf8) == "mine")
        }
        #expect(bench.files == ["out-sqlite-merge.hgrm", "out.csv", "out.manifest.json"])
    }

    /// The signals that end a run. The end of the terminal is one, unless `nohup` ignores it for these tests, too.
    private static let ends: [Int32] = {
        let previous = signal(SIGHUP, SIG_IGN)
        signal(SIGHUP, previous)
        let isIgnored = unsafeBitCast(previous, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
        return [SIGINT, SIGTERM, SIGQUIT] + (isIgnored ? [] : [SIGHUP])
    }()

    /// Waits for the first line of progress, which says that a phase is done and the run under way.
    private static func waitForAPhase(_ errors: Pipe) {
        var text = ""
        while !text.contains("repetition 1/") {
            let more = errors.fileHandleForReading.availableData
            if more.isEmpty { return }
            text += String(decoding: more, as: UTF8.self)
        }
    }

    @Test(arguments: ends) func interruptedRunLeavesAValidFileAndNoStore(signal: Int32) throws {
        let bench = try BenchBinary()
        let (process, _, errors) = try bench.start([
            "run", BenchBinary.smoke, "--allow-debug", "--output", "out.csv", "--repetitions", "500", "--scale", "0.1",
        ])
        Self.waitForAPhase(errors)
        kill(process.processIdentifier, signal)
        let rest = errors.readText()
        #expect(process.awaitEnd() == 130)
        #expect(rest.contains("partial results are in out.csv"))
        #expect(bench.files.filter { !$0.hasSuffix(".hgrm") } == ["out.csv", "out.manifest.json"])
        #expect(try !bench.rows().isEmpty)
    }

    @Test func killedRunLeavesAValidFile() throws {
        let bench = try BenchBinary()
        let (process, _, errors) = try bench.start([
            "run", BenchBinary.smoke, "--allow-debug", "--output", "out.csv", "--repetitions", "500", "--scale", "0.1",
        ])
        Self.waitForAPhase(errors)
        kill(process.processIdentifier, SIGKILL)
        _ = process.awaitEnd()
        #expect(try !bench.rows().isEmpty)
        for name in bench.files where name.hasSuffix(".hgrm") {
            _ = try PercentileSpectrum(contentsOf: bench.folder.appendingPathComponent(name))
        }
    }
}

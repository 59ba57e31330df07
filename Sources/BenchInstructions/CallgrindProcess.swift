import BenchHarness
import Foundation

/// Runs jobs of a build under callgrind, each in a process.
struct CallgrindProcess {
    let valgrind: URL
    let program: InstructionRequest.Program
    /// A copy of the program that valgrind can read.
    let copy: URL
    /// The argument that makes the program run an ``InstructionWorker``.
    let argument: String
    let interruption: Interruption

    /// Runs a job; `folder` takes the files of callgrind.
    ///
    /// - Returns: The result of each phase, by its index.
    func count(_ job: RepetitionJob, in folder: URL) throws -> [Int: InstructionCounts.Repetition] {
        let files = folder.appendingPathComponent("profiles", isDirectory: true)
        try FileManager.default.createDirectory(at: files, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: files) }
        let log = files.appendingPathComponent("log")
        let reports = try reports(InstructionJob(job: job), command(files, log: log), log: log)
        let profiles = try profiles(in: files)
        guard reports.count == job.phases.count else { throw failure("left out the report of a phase", log) }
        return try Dictionary(
            uniqueKeysWithValues: zip(job.phases, reports).map { index, report in
                (index, try repetition(job.repetition, report, profiles[CallgrindCounter.title(ofPhase: index)], log))
            })
    }

    private func repetition(
        _ number: Int, _ report: PhaseReport, _ profile: CallgrindProfile?, _ log: URL
    ) throws -> InstructionCounts.Repetition {
        let row = report.row
        if row.status == .ok, profile == nil { throw failure("left out the profile of \(row.phase)", log) }
        let counted = row.status == .ok ? profile : nil
        return InstructionCounts.Repetition(
            number: number, records: row.records, status: row.status, error: row.error,
            allocations: AllocationCount(row), functions: counted?.functions ?? [:],
            ownFunctions: counted?.ownFunctions ?? [:], parts: counted?.parts ?? [:])
    }

    private func command(_ files: URL, log: URL) -> [String] {
        [
            valgrind.path,
            // Files of settings of the user or the folder count for nothing.
            "--command-line-only=yes", "--quiet", "--tool=callgrind", "--instr-atstart=no", "--demangle=no",
            "--callgrind-out-file=\(files.appendingPathComponent("profile").path)", "--log-file=\(log.path)",
            copy.path, argument,
        ]
    }

    /// What the program needs besides the variables of this process: the order of its sets and dictionaries is the same
    /// each time, and it finds the libraries that lie beside the original.
    private var environment: [String: String] {
        let libraries = [
            program.executable.deletingLastPathComponent().path,
            ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"] ?? "",
        ]
        return [
            "SWIFT_DETERMINISTIC_HASHING": "1",
            "LD_LIBRARY_PATH": libraries.filter { !$0.isEmpty }.joined(separator: ":"),
        ]
    }

    /// Runs the process to its end.
    private func reports(_ job: InstructionJob, _ command: [String], log: URL) throws -> [PhaseReport] {
        let input = try JSONEncoder().encode(job)
        let child = try AddressLayout.fixed { try ChildProcess(command, environment: environment, input: input) }
        interruption.watch(child.id)
        let decoder = JSONDecoder()
        var reports: [PhaseReport] = []
        var unreadable: String?
        child.forEachLine { line in
            do {
                if case .finished(let report) = try decoder.decode(RepetitionEvent.self, from: line) {
                    reports.append(report)
                }
            } catch {
                unreadable = unreadable ?? "sent an unreadable report: \(JSONFile.reason(error))"
            }
        }
        let ending = child.wait { interruption.forget(child.id) }
        if interruption.isRequested { throw Interrupted() }
        if let problem = ending ?? unreadable { throw failure(problem, log) }
        return reports
    }

    /// Reads the profiles of the phases, by their titles. Callgrind numbers its files, and writes one more at its end.
    private func profiles(in files: URL) throws -> [String: CallgrindProfile] {
        var profiles: [String: CallgrindProfile] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: files.path) where name.hasPrefix("profile.") {
            let file = files.appendingPathComponent(name)
            let profile = try CallgrindProfile(Data(contentsOf: file), place: file.path)
            profiles[profile.title] = profile
        }
        return profiles
    }

    private func failure(_ what: String, _ log: URL) -> RunError {
        let text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
        // Each line begins with the number of the process between equal signs or dashes.
        let said = text.split(separator: "\n").map { $0.drop { "=-0123456789 ".contains($0) } }.first { !$0.isEmpty }
        let note = said.map { "; valgrind says: \($0)" } ?? ""
        return RunError(
            .process,
            "\(program.title): the process that counts \(what)\(note); if it is of another version of bench, "
                + "build it anew")
    }
}

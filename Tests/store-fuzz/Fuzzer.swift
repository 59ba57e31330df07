import Foundation
import TestSupport

/// Runs many cases, some at once, and keeps what they find.
final class Fuzzer: @unchecked Sendable {
    // Unchecked because the lock guards what changes.
    private let options: FuzzOptions
    private let lock = NSLock()
    private let temporary: TemporaryDirectory
    private var next = 0
    private var used = 0
    private var refused = 0
    /// The cases of each kind of finding.
    private var findings: [String: Finding] = [:]
    private var failure: (any Error)?

    private struct Finding {
        var numbers: [Int] = []
        /// What it was when it was done again, with a stack trace.
        var again: [String] = []
    }

    /// Of each kind, no more are kept.
    private static let kept = 2

    init(_ options: FuzzOptions) throws {
        self.options = options
        temporary = try TemporaryDirectory()
        try ValidFile.makeAll(in: temporary.file("valid"))
    }

    /// Runs all cases and tells what they came to. Whether nothing was found.
    func run() throws -> Bool {
        let over = DispatchGroup()
        for job in 0..<options.jobs {
            over.enter()
            Thread {
                self.work(job)
                over.leave()
            }.start()
        }
        over.wait()
        if let failure { throw failure }
        report()
        return findings.isEmpty
    }

    private func work(_ job: Int) {
        while let number = takeNumber() {
            do {
                try run(number, job)
            } catch {
                lock.withLock { failure = error }
            }
        }
    }

    private func takeNumber() -> Int? {
        lock.withLock {
            guard next < options.cases, failure == nil else { return nil }
            defer { next += 1 }
            if next > 0, next % 1_000 == 0 { Self.say("\(next) cases, \(count) findings") }
            return next
        }
    }

    private func run(_ number: Int, _ job: Int) throws {
        let folder = temporary.file("case-\(job)")
        try? FileManager.default.removeItem(at: folder)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let arguments = arguments(number, folder)
        let verdict = try FuzzProcess.run(arguments, log: folder.path + "/log.txt", tracesCrash: false)
        let isToBeKept = lock.withLock {
            switch verdict {
            case .used: used += 1
            case .refused: refused += 1
            case .finding(let kind):
                findings[kind, default: Finding()].numbers.append(number)
                return findings[kind]?.numbers.count ?? 0 <= Self.kept
            }
            return false
        }
        guard isToBeKept, case .finding(let kind) = verdict else { return }
        let again = try keep(number, arguments, folder)
        lock.withLock { findings[kind]?.again.append("\(again)") }
    }

    private func arguments(_ number: Int, _ folder: URL) -> [String] {
        [
            "--seed", "\(options.seed)", "--case", "\(number)", "--valid", temporary.file("valid").path, "--folder",
            folder.path,
        ]
            + (options.fault.map { ["--fault", $0.rawValue] } ?? [])
    }

    /// Does the case once more, to have its files before they are used, and a stack trace.
    private func keep(_ number: Int, _ arguments: [String], _ folder: URL) throws -> FuzzProcess.Verdict {
        let place = URL(fileURLWithPath: options.crashes, isDirectory: true)
            .appendingPathComponent("store-\(options.seed)-\(number)", isDirectory: true)
        try? FileManager.default.removeItem(at: place)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        try FileManager.default.removeItem(at: folder)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let verdict = try FuzzProcess.run(
            arguments + ["--keep", place.path], log: place.path + "/log.txt", tracesCrash: true)
        let note = "\(verdict)\n\(command(number))\n"
        try Data(note.utf8).write(to: place.appendingPathComponent("how.txt"))
        return verdict
    }

    /// What repeats a case.
    private func command(_ number: Int) -> String {
        "SWIFT_DETERMINISTIC_HASHING=1 \(CommandLine.arguments[0]) --seed \(options.seed) --case \(number) "
            + "--files \(options.crashes)/store-\(options.seed)-\(number)"
    }

    /// Writes at once, to a terminal, a file or a pipe.
    private static func say(_ text: String) {
        FileHandle.standardOutput.write(Data("\(text)\n".utf8))
    }

    private func report() {
        Self.say(
            "\(options.cases) cases with the seed \(options.seed): \(used) files used, \(refused) refused, \(count) findings"
        )
        let kinds = findings.map { (kind: $0.key, finding: $0.value) }
        for (kind, finding) in kinds.sorted(by: { $0.finding.numbers.count > $1.finding.numbers.count }) {
            Self.say("\n\(finding.numbers.count) times: \(kind)")
            for again in Set(finding.again) where again != kind { Self.say("  again: \(again)") }
            Self.say("  \(command(finding.numbers[0]))")
        }
    }

    private var count: Int { findings.values.reduce(0) { $0 + $1.numbers.count } }
}

import Foundation

/// The end of a process, and what it left behind.
struct TortureDeath: Sendable {
    let life: TorturedLife
    /// Whether it was sent SIGKILL.
    var isKilled = false
    /// How often it was stopped and continued.
    var stops = 0
    var readings: [JournalReading] = []
    /// Faults of the process.
    var problems: [String] = []
    /// What failed. That is a fault, too, unless a server went away meanwhile.
    var failures: [String] = []
    /// The number of operations that failed.
    var failedOperations = 0
    /// A time at which the process was certainly dead.
    var time = 0

    init(life: TorturedLife) {
        self.life = life
    }

    /// Records how the process ended, in words; nil if it exited successfully.
    mutating func end(_ ending: String?, isHanging: Bool) {
        if isHanging {
            problems.append("process \(life.number) did not end")
        } else if let ending, !isKilled || ending != Self.killed {
            problems.append("process \(life.number) \(ending)")
        }
        isKilled = isKilled && ending == Self.killed
    }

    /// Reads the journals, which are complete except for a line that the process was writing.
    ///
    /// - Parameters:
    ///   - job: The job of all processes of the round.
    ///   - task: What they did.
    ///   - settled: A time at which a server has certainly ended what the process began; nil for a store of files,
    ///     where nothing goes on without the process.
    mutating func read(_ job: TortureJob, _ task: any TortureTask, settled: Int?) throws {
        var job = job
        job.lane = life.number
        for worker in 0..<task.workers(of: job) {
            // The process may have ended before it made the worker; then there is no journal.
            guard let data = FileManager.default.contents(atPath: job.journal(of: worker)) else { continue }
            let text = String(decoding: data, as: UTF8.self)
            let reading = try task.read(text, of: job, end: settled ?? time, goesOn: settled != nil)
            readings.append(reading)
            note(reading.failures, of: worker)
        }
    }

    /// Records what failed besides the operations in the journals.
    mutating func note(failure: String) {
        failedOperations += 1
        failures.append("process \(life.number): \(failure)")
    }

    private mutating func note(_ failures: [String], of worker: Int) {
        failedOperations += failures.count
        self.failures += failures.prefix(3).map { "process \(life.number), worker \(worker + 1): \($0)" }
    }

    /// The number of operations that changed the store and were acknowledged.
    var acknowledged: Int { readings.reduce(0) { $0 + $1.acknowledged } }

    private static let killed = "was ended by SIGKILL"
}

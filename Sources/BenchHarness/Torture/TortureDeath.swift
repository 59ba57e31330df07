import Foundation

/// What became of a process, and what it left behind.
struct TortureDeath: Sendable {
    let life: TorturedLife
    /// Whether SIGKILL was sent to it.
    var isKilled = false
    /// How often it was stopped, and went on.
    var stops = 0
    var readings: [JournalReading] = []
    var problems: [String] = []

    init(life: TorturedLife) {
        self.life = life
    }

    /// Takes in how the process ended, in words; nil when it exited well.
    mutating func end(_ ending: String?, isHanging: Bool) {
        if isHanging {
            problems.append("process \(life.number) did not come to an end")
        } else if let ending, !isKilled || ending != Self.killed {
            problems.append("process \(life.number) \(ending)")
        }
        isKilled = isKilled && ending == Self.killed
    }

    /// Reads the journals, which are whole but for a line that the process was writing.
    mutating func read(_ job: TortureJob, end: Int) throws {
        for worker in 0..<(job.work?.workers ?? 0) {
            // A worker that the process did not get to make has none.
            guard let data = FileManager.default.contents(atPath: job.journal(of: worker)) else { continue }
            let reading = try JournalReading(String(decoding: data, as: UTF8.self), end: end)
            problems += reading.failures.prefix(3).map { "process \(life.number), worker \(worker + 1): \($0)" }
            readings.append(reading)
        }
    }

    private static let killed = "was ended by SIGKILL"
}

import Foundation

/// What became of a process, and what it left behind.
struct TortureDeath: Sendable {
    let life: TorturedLife
    /// Whether SIGKILL was sent to it.
    var isKilled = false
    /// How often it was stopped, and went on.
    var stops = 0
    var readings: [JournalReading] = []
    /// Those of workers that change related records.
    var relatedReadings: [RelatedReading] = []
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
        for worker in 0..<job.workers {
            // A worker that the process did not get to make has none.
            guard let data = FileManager.default.contents(atPath: job.journal(of: worker)) else { continue }
            let text = String(decoding: data, as: UTF8.self)
            if job.isRelated {
                relatedReadings.append(try RelatedReading(text))
                note(relatedReadings[relatedReadings.count - 1].failures, of: worker)
            } else {
                readings.append(try JournalReading(text, end: end))
                note(readings[readings.count - 1].failures, of: worker)
            }
        }
    }

    private mutating func note(_ failures: [String], of worker: Int) {
        problems += failures.prefix(3).map { "process \(life.number), worker \(worker + 1): \($0)" }
    }

    /// Operations that changed the store and were acknowledged.
    var acknowledged: Int {
        readings.reduce(0) { $0 + $1.acknowledged } + relatedReadings.reduce(0) { $0 + $1.acknowledged.count }
    }

    private static let killed = "was ended by SIGKILL"
}

import BenchHarness
import Foundation
import Locking

/// Changes related records on several threads, in a process under torture, until its time is over.
struct RelatedLoad {
    let job: TortureJob
    let session: RelatedSession
    let onAcknowledged: @Sendable () -> Void

    /// The number of attempts at an operation that conflicts with another writer.
    private static let attempts = 20

    /// Blocks until all workers are done.
    ///
    /// - Returns: The reasons why workers gave up.
    func run() -> [String] {
        let problems = Locked<[String]>([])
        let end = ContinuousClock.now + .seconds(job.seconds)
        let over = DispatchGroup()
        for worker in 0..<RelatedPlan.workers {
            over.enter()
            let body = { @Sendable in
                do { try run(worker, until: end) } catch { problems.withLock { $0.append("\(error)") } }
                over.leave()
            }
            Thread(block: body).start()
        }
        over.wait()
        return problems.value
    }

    private func run(_ number: Int, until end: ContinuousClock.Instant) throws {
        let journal = try LoadJournal(URL(fileURLWithPath: job.journal(of: number)))
        let worker = session.makeWorker()
        var plan = RelatedPlan(job, worker: number)
        var errors = 0
        while ContinuousClock.now < end {
            let operation = plan.operation()
            for _ in 0..<Self.attempts {
                try journal.write(.intent(operation))
                do {
                    let outcome = try worker.perform(operation)
                    guard case .done(let marks) = outcome else {
                        try journal.write(RelatedEntry.refused)
                        continue
                    }
                    try journal.write(.acknowledged(marks))
                    errors = 0
                    onAcknowledged()
                } catch {
                    try journal.write(.failed("\(error)"))
                    errors += 1
                    if errors >= LoadLoop.errorsInARow { throw error }
                    LoadPacer.sleep(LoadJournal.pause)
                }
                break
            }
        }
    }
}

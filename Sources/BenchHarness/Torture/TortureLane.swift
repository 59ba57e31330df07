import Foundation
import Locking

/// A lane of processes: starts one after another, and harms each.
struct TortureLane: Sendable {
    /// The job of every process in the lane, except for its number and its time.
    let job: TortureJob
    let command: [String]
    let interruption: Interruption

    /// Longer than the life of any process that is to be killed.
    private static let longSeconds = 600.0
    /// A process that is started at the same time as another inherits an end of its pipe, and the pipe would outlive
    /// its owner.
    private static let spawning = Lock()

    /// Runs the processes one after another. Blocks, on a thread that must outlive them, and does.
    func run(_ lives: [TorturedLife]) throws -> [TortureDeath] {
        var deaths: [TortureDeath] = []
        for life in lives where !interruption.isRequested { deaths.append(try run(life)) }
        return deaths
    }

    private func run(_ life: TorturedLife) throws -> TortureDeath {
        var job = job
        job.lane = life.number
        job.seconds = life.end == .finish ? Double(life.milliseconds) / 1_000 : Self.longSeconds
        let input = try JSONEncoder().encode(job)
        let child = try Self.spawning.withLock { try ChildProcess(command, input: input) }
        let victim = TortureVictim(child.id, interruption)
        var death = TortureDeath(life: life)
        child.forEachLine { line in
            guard let event = try? JSONDecoder().decode(TortureEvent.self, from: line) else { return }
            switch event {
            case .problem(let problem): death.note(failure: problem)
            case .opening: if life.end == .killWhileOpening { harm(victim, life, &death) }
            case .acknowledged: if life.end != .killWhileOpening { harm(victim, life, &death) }
            }
        }
        let ending = child.wait { victim.forget() }
        death.isKilled = victim.isKilled
        death.end(ending, isHanging: victim.isHanging)
        death.time = MonotonicClock().now()
        return death
    }

    private func harm(_ victim: TortureVictim, _ life: TorturedLife, _ death: inout TortureDeath) {
        for step in life.steps where !interruption.isRequested {
            switch step {
            case .work(let milliseconds): sleep(milliseconds)
            case .stop(let milliseconds):
                victim.send(SIGSTOP)
                sleep(milliseconds)
                victim.send(SIGCONT)
                death.stops += 1
            }
        }
        if life.end != .finish { victim.send(SIGKILL) }
    }

    /// Sleeps in steps, so that a request to stop need not wait.
    private func sleep(_ milliseconds: Int) {
        var rest = milliseconds
        while rest > 0, !interruption.isRequested {
            LoadPacer.sleep(min(rest, 20) * 1_000_000)
            rest -= 20
        }
    }
}

import BenchHarness
import Foundation
import Locking

/// Counts the instructions of the phases of a scenario, under callgrind.
///
/// Repetitions and drivers are counted at the same time: what else the machine does changes the time that they take,
/// but not their instructions. Both builds follow one another in the same folder, since the length of a path counts
/// too.
public struct InstructionRun: Sendable {
    private struct Unit {
        let repetition: Int
        let driver: String
    }

    private let request: InstructionRequest
    private let folder: URL
    private let interruption: Interruption
    private let id = ScratchFolder.tag()

    /// Prepares a run whose stores and programs lie in `folder`.
    public init(_ request: InstructionRequest, in folder: URL, interruption: Interruption) {
        self.request = request
        self.folder = folder
        self.interruption = interruption
    }

    /// Runs. Blocks.
    ///
    /// - Parameter onProgress: Receives how many processes have ended, and how many there are. Any thread calls it.
    /// - Returns: The counts; nil if the run was stopped.
    public func run(onProgress: @escaping @Sendable (Int, Int) -> Void) throws -> InstructionOutcome? {
        let sides = try sides()
        let units = (1...request.repetitions).flatMap { repetition in
            request.drivers.map { Unit(repetition: repetition, driver: $0) }
        }
        let count = units.count * sides.count * request.stretches.count
        let (outcome, done) = (Locked(InstructionOutcome(request)), Locked(0))
        let problem = Locked<(any Error)?>(nil)
        let next = Locked(0)
        DispatchQueue.concurrentPerform(iterations: min(request.lanes, units.count)) { _ in
            while let index = next.withLock({ next in
                next += 1
                return next <= units.count ? next - 1 : nil
            }) {
                do {
                    try self.count(units[index], sides, in: String(format: "%04d", index)) { side, phase, counted in
                        outcome.withLock { $0.add(counted, units[index].driver, phase, side) }
                    } onEnd: {
                        onProgress(
                            done.withLock { done in
                                done += 1
                                return done
                            }, count)
                    }
                } catch {
                    problem.withLock { $0 = $0 ?? error }
                    interruption.request()
                }
            }
        }
        if let problem = problem.value, !(problem is Interrupted) { throw problem }
        return interruption.isRequested ? nil : outcome.value
    }

    /// Copies both programs, to paths of one length.
    private func sides() throws -> [(side: Side, counting: CallgrindProcess)] {
        let programs = [(Side.base, request.base), (Side.new, request.new)]
        return try programs.compactMap { side, program in
            guard let program else { return nil }
            let own = folder.appendingPathComponent(side == .base ? "1" : "2", isDirectory: true)
            try FileManager.default.createDirectory(at: own, withIntermediateDirectories: false)
            let copy = own.appendingPathComponent("bench")
            try ProgramCopy.make(of: program.executable, at: copy)
            return (
                side,
                CallgrindProcess(
                    valgrind: request.valgrind, program: program, copy: copy, argument: request.workerArgument,
                    interruption: interruption)
            )
        }
    }

    private func count(
        _ unit: Unit, _ sides: [(side: Side, counting: CallgrindProcess)], in name: String,
        add: (Side, Int, InstructionCounts.Repetition) -> Void, onEnd: () -> Void
    ) throws {
        let own = folder.appendingPathComponent(name, isDirectory: true)
        for (side, counting) in sides {
            try FileManager.default.createDirectory(at: own, withIntermediateDirectories: false)
            defer { try? FileManager.default.removeItem(at: own) }
            for stretch in request.stretches {
                guard !interruption.isRequested else { throw Interrupted() }
                let counted = try counting.count(job(unit, stretch, in: own), in: own)
                for (phase, repetition) in counted where request.isWanted(phase) { add(side, phase, repetition) }
                onEnd()
            }
        }
    }

    private func job(_ unit: Unit, _ stretch: Range<Int>, in own: URL) -> RepetitionJob {
        RepetitionJob(
            counting: request.scenario, run: id, driver: unit.driver, repetition: unit.repetition, phases: stretch,
            directory: own.appendingPathComponent("stores").path)
    }
}

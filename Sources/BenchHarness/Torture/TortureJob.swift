import Foundation

/// The task of a process under torture: a load, until the process is killed or its time is over.
package struct TortureJob: Sendable, Equatable, Codable {
    /// The scenario, already scaled.
    package var scenario: Scenario
    /// The index of the phase with the load.
    var phase: Int
    /// The driver's name.
    var driver: String
    /// The lane, unique among the processes that use the store.
    package var lane: Int
    /// The length of the work.
    package var seconds: Double
    /// The folder of the store.
    package var store: String
    /// The folder of the journals.
    package var journals: String
    /// The process id of the parent.
    var parent: Int32

    /// Returns the file of a worker's journal.
    package func journal(of worker: Int) -> String { "\(journals)/\(lane)-\(worker).log" }

    /// Makes the folders of the store and of the journals.
    package func makeFolders() throws {
        for folder in [store, journals] {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
    }

    /// Removes the journals of all processes.
    package func removeJournals() {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: journals)) ?? [] {
            try? FileManager.default.removeItem(atPath: "\(journals)/\(name)")
        }
    }

    /// The scenario as the phase sees it, whose entity may not be the first.
    var view: Scenario {
        scenario.phases.indices.contains(phase) ? scenario.focused(on: scenario.phases[phase].entity) : scenario
    }

    /// The load, without an end except for the time. Nil if the phase is not a load.
    var work: LoadWork? {
        guard scenario.phases.indices.contains(phase), var work = scenario.phases[phase].work.as(LoadWork.self) else {
            return nil
        }
        work.pace.operations = nil
        work.pace.durationSeconds = seconds
        (work.limits, work.abortsEarly) = ([:], false)
        return work
    }
}

/// An event that such a process reports to its parent. Its operations are in its journals.
enum TortureEvent: Sendable, Equatable, Codable {
    /// The process is about to open the store.
    case opening
    /// The process's first write was acknowledged.
    case acknowledged
    /// A failure other than that of an operation.
    case problem(String)
}

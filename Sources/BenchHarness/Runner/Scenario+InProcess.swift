import Foundation
import Locking

extension Scenario {
    /// Runs every phase once with a driver, in this process, in a folder that it creates.
    ///
    /// - Returns: The result of each phase, in order.
    package func reports(by driver: any StoreDriver, in directory: URL) throws -> [PhaseReport] {
        let reports = Locked<[PhaseReport]>([])
        let job = RepetitionJob(
            run: name, scenario: self, driver: driver.name, repetition: 1, phases: phases.indices,
            directory: directory.path, parent: 0)
        var runner = RepetitionRunner(job, driver: driver, instruments: .platform) { event in
            if case .finished(let report) = event { reports.withLock { $0.append(report) } }
        }
        try runner.run()
        return reports.value
    }
}

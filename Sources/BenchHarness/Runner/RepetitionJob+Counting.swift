import Foundation

extension RepetitionJob {
    /// Creates the job of a process that counts instructions: it plants the same values each time.
    package init(
        counting scenario: Scenario, run: String, driver: String, repetition: Int, phases: Range<Int>, directory: String
    ) {
        self.init(
            run: run, scenario: scenario, driver: driver, repetition: repetition, phases: phases, directory: directory,
            parent: getpid())
        plantingSeed = scenario.seed
    }
}

import Testing

@testable import BenchHarness

@Suite struct PhaseMeasurementTests {
    /// The machine in a phase that used a whole core, while other processes used `other` seconds of CPU time.
    private func machine(other: Double, seconds: Double = 1) -> ResultRow.Machine {
        var measurement = PhaseMeasurement()
        measurement.duration = Int(seconds * 1e9)
        (measurement.before.cpuUserNanoseconds, measurement.before.cpuSystemNanoseconds) = (5, 7)
        measurement.before.machineBusyNanoseconds = 1_000
        measurement.after.cpuUserNanoseconds = 5 + measurement.duration
        measurement.after.cpuSystemNanoseconds = 7
        measurement.after.machineBusyNanoseconds = 1_000 + measurement.duration + Int(other * 1e9)
        return ResultRow.Machine(measurement, calibrated: nil, fastest: nil, hasServer: false)
    }

    /// On any number of cores.
    @Test(arguments: [(0, false), (0.19, false), (0.21, true), (3, true)])
    func aFifthOfOneCoreContaminates(other: Double, isContaminated: Bool) {
        let machine = machine(other: other)
        #expect(machine.contaminated == isContaminated)
        #expect(machine.otherCPU == Int(other * 1e9))
    }

    @Test func aShortPhaseIsNotJudged() {
        #expect(machine(other: 0.09, seconds: 0.09).contaminated == nil)
    }
}

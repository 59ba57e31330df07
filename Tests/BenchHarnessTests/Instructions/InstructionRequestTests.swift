import Foundation
import TestSupport
import Testing

@testable import BenchHarness
@testable import BenchInstructions

@Suite struct InstructionRequestTests {
    private func request(_ phases: Set<String>) throws -> InstructionRequest {
        let folder = try TemporaryDirectory()
        let valgrind = folder.file("valgrind")
        try WrittenProgram.write("", to: valgrind)
        var request = try InstructionRequest(
            scenario: Self.smoke(), drivers: ["sqlite"],
            new: InstructionRequest.Program(title: "new", executable: valgrind), workerArgument: "w",
            path: "/nowhere:\(folder.path)")
        #expect(request.valgrind.lastPathComponent == "valgrind")
        request.phases = phases
        return request
    }

    private static func smoke() throws -> Scenario {
        try ScenarioReader().read(contentsOf: Repository.url("Scenarios/smoke.json"))
    }

    @Test func onlyPhasesThatAreCountedAndThoseBeforeThemRun() throws {
        #expect(try request([]).stretches == [0..<1, 1..<2, 2..<3, 3..<4, 4..<5, 5..<6, 6..<7, 7..<9, 9..<10])
        #expect(try request(["fetch-sync", "checkpoint"]).stretches == [1..<2, 7..<9])
        #expect(try request(["update-batch"]).stretches == [7..<8])
    }

    @Test func withoutValgrindTheErrorNamesWhatToDo() throws {
        let program = InstructionRequest.Program(title: "new", executable: URL(fileURLWithPath: "/bin/true"))
        #expect {
            _ = try InstructionRequest(
                scenario: Self.smoke(), drivers: [], new: program, workerArgument: "w", path: "/nowhere")
        } throws: {
            "\($0)" == "no valgrind in PATH, which counts the instructions; install it, such as with "
                + "apt-get install valgrind"
        }
    }

    @Test func aScenarioIsCountedSmallAndItsLoadsEnd() throws {
        let smoke = try Self.smoke()
        #expect(InstructionRequest.scenarioToCount(smoke, keepsScale: false).records == 2_000)
        #expect(InstructionRequest.scenarioToCount(smoke, keepsScale: true).records == smoke.records)
        let reader = ScenarioReader()
        let growth = InstructionRequest.scenarioToCount(
            try reader.read(contentsOf: Repository.url("Scenarios/growth.json")), keepsScale: false)
        #expect(growth.records == 2_000 && growth.allSizes == [2_000] && growth.growth == nil)
        let load = InstructionRequest.scenarioToCount(
            try reader.read(contentsOf: Repository.url("Scenarios/ycsb-a.json")), keepsScale: false)
        let loads = load.phases.compactMap { $0.work.as(LoadWork.self) }
        #expect(!loads.isEmpty && loads.allSatisfy { $0.pace.operations == 500 })
    }
}

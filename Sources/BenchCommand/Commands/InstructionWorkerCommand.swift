import BenchHarness
import BenchInstructions

/// What `bench instructions` starts under callgrind.
struct InstructionWorkerCommand: Subcommand {
    static let spec = CommandSpec(
        name: "__instructions", summary: "Have the instructions of phases counted.", isHidden: true)
    static let measures = true

    private let drivers: [any StoreDriver]

    init(_ invocation: Invocation) {
        drivers = invocation.drivers
    }

    func run() throws -> ExitCode {
        try InstructionWorker(drivers: drivers, inspectorCommand: InspectionCommand.command).run()
        return .success
    }
}

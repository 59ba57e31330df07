import BenchHarness

/// The command that a run starts for each repetition.
struct WorkerCommand: Subcommand {
    static let spec = CommandSpec(name: "__repetition", summary: "Run one repetition.", isHidden: true)
    static let measures = true

    private let drivers: [any StoreDriver]

    init(_ invocation: Invocation) {
        drivers = invocation.drivers
    }

    func run() throws -> ExitCode {
        try RepetitionWorker(drivers: drivers, inspectorCommand: InspectionCommand.command).run()
        return .success
    }
}

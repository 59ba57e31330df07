import BenchHarness

/// What `bench ab` starts for each side of a launch.
struct TurnsCommand: Subcommand {
    static let spec = CommandSpec(name: "__turns", summary: "Take turns with another process.", isHidden: true)
    static let measures = true

    private let drivers: [any StoreDriver]

    init(_ invocation: Invocation) {
        drivers = invocation.drivers
    }

    func run() throws -> ExitCode {
        try TurnWorker(drivers: drivers, inspectorCommand: InspectionCommand.command).run()
        return .success
    }
}

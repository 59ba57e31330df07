import BenchHarness

/// The command that the process of a repetition starts to inspect a store.
struct InspectionCommand: Subcommand {
    static let spec = CommandSpec(name: "__inspection", summary: "Inspect one store.", isHidden: true)
    static let measures = true

    /// This program, and the argument that makes it inspect a store.
    static var command: [String] { [RunInputs.executable, spec.name] }

    private let drivers: [any StoreDriver]

    init(_ invocation: Invocation) {
        drivers = invocation.drivers
    }

    func run() throws -> ExitCode {
        try InspectionWorker(drivers: drivers).run()
        return .success
    }
}

import BenchHarness

/// The command of each process under torture, which `bench torture` starts.
struct TortureWorkerCommand: Subcommand {
    static let spec = CommandSpec(name: "__torture", summary: "Run a load and keep journals.", isHidden: true)

    private let drivers: [any StoreDriver]

    init(_ invocation: Invocation) {
        drivers = invocation.drivers
    }

    func run() throws -> ExitCode {
        try TortureWorker(drivers: drivers).run()
        return .success
    }
}

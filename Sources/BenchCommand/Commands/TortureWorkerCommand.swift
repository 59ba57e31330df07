import BenchHarness

/// What `bench torture` starts for each process that it is going to kill.
struct TortureWorkerCommand: Subcommand {
    static let spec = CommandSpec(name: "__torture", summary: "Do a load, keeping journals.", isHidden: true)

    private let drivers: [any StoreDriver]

    init(_ invocation: Invocation) {
        drivers = invocation.drivers
    }

    func run() throws -> ExitCode {
        try TortureWorker(drivers: drivers).run()
        return .success
    }
}

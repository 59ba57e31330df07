import BenchHarness

/// The command of each process under torture, which `bench torture` starts.
struct TortureWorkerCommand: Subcommand {
    static let spec = CommandSpec(name: "__torture", summary: "Run a load and keep journals.", isHidden: true)
    static let measures = true

    private let worker: TortureWorker

    init(_ invocation: Invocation) {
        worker = TortureWorker(drivers: invocation.drivers, task: invocation.torture)
    }

    func run() throws -> ExitCode {
        try worker.run()
        return .success
    }
}

import BenchCommand
import BenchDrivers
import Foundation

/// The program with a baseline driver that fetches slowly, which comparisons must catch, with some that lose or tear
/// writes, which torture must catch, and with one that works after the clock.
let command = BenchCommand(drivers: [
    SlowedDriver(), LateDriver(),
    WorkerDriver(base: SQLiteTunedDriver(), name: "lossy", summary: "Loses writes", makeWorker: LossyWorker.init),
    WorkerDriver(
        base: PostgreSQLTunedDriver(), name: "lossy-postgres", summary: "Loses writes", makeWorker: LossyWorker.init),
    WorkerDriver(
        base: PostgreSQLDriver(), name: "torn-postgres", summary: "Does half a save", makeWorker: TornWorker.init),
    // Only a crash of the server shows that it acknowledges writes before they are on storage.
    WorkerDriver(
        base: PostgreSQLDriver(), name: "hasty-postgres", summary: "Loses writes to a crash of the server",
        synchronous: .off),
])
exit(await command.run(arguments: CommandLine.arguments).rawValue)

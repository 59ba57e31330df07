import BenchCommand
import BenchDrivers
import Foundation

/// The program with a baseline driver that fetches slowly, which comparisons must catch, with some that lose or tear
/// writes, which torture must catch, and with one that works after the clock.
let command = BenchCommand(drivers: [
    SlowedDriver(), LossyDriver(base: SQLiteTunedDriver(), name: "lossy"), LateDriver(),
    LossyDriver(base: PostgreSQLTunedDriver(), name: "lossy-postgres"), TornDriver(), HastyDriver(),
])
exit(await command.run(arguments: CommandLine.arguments).rawValue)

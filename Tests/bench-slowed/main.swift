import BenchCommand
import BenchDrivers
import Foundation

/// The program with a baseline driver that fetches slowly, which comparisons must catch, with one that loses writes,
/// which torture must catch, and with one that works after the clock.
let command = BenchCommand(drivers: [SlowedDriver(), LossyDriver(), LateDriver()])
exit(await command.run(arguments: CommandLine.arguments).rawValue)

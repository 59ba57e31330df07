import BenchCommand
import BenchDrivers
import Foundation

/// The program with a baseline driver that fetches slowly, which comparisons must catch, and with one that loses
/// writes, which torture must catch.
exit(await BenchCommand(drivers: [SlowedDriver(), LossyDriver()]).run(arguments: CommandLine.arguments).rawValue)

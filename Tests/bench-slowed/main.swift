import BenchCommand
import BenchDrivers
import Foundation

/// The program with a baseline driver that fetches slowly: what comparisons must catch.
exit(await BenchCommand(drivers: [SlowedDriver()]).run(arguments: CommandLine.arguments).rawValue)

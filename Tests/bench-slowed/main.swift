import BenchCommand
import BenchDrivers
import Foundation

/// The program with a baseline driver that fetches at a third of its speed: what comparisons must catch.
exit(await BenchCommand(drivers: [SlowedDriver()]).run(arguments: CommandLine.arguments).rawValue)

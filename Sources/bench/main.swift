import BenchCommand
import BenchDrivers
import Foundation

exit(await BenchCommand(drivers: Drivers.all).run(arguments: CommandLine.arguments).rawValue)

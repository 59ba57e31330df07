import BenchCommand
import BenchDrivers
import Foundation
import PeerDrivers

/// The program with its own drivers and those on GRDB.
exit(await BenchCommand(drivers: Drivers.all + PeerDrivers.all).run(arguments: CommandLine.arguments).rawValue)

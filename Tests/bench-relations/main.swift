import BenchCommand
import BenchDrivers
import Foundation
import RelationTorture

// `bench-relations torture` is `bench torture` with related records instead of a scenario's loads.
let drivers = Drivers.all.filter { $0 is ManagedDriver || $0 is ManagedPostgreSQLDriver }
exit(await BenchCommand(drivers: drivers, torture: RelationTorture()).run(arguments: CommandLine.arguments).rawValue)

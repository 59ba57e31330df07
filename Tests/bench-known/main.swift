import BenchCommand
import BenchHarness
import Foundation

/// The program whose drivers do what is known, to measure the harness by: `bench-known run instrument` measures them,
/// `bench-known overhead RESULT.csv [PAIRS]` says what the harness added, `bench-known walk OUTPUT.json [RECORDS]`
/// what it takes to read records, and `bench-known allocations` how many of known allocations it counts. Anything else
/// is a subcommand of bench.
let arguments = CommandLine.arguments
if arguments.count > 2, arguments[1] == "walk" {
    exit(WalkCommand(output: arguments[2], records: arguments.count > 3 ? Int(arguments[3]) ?? 0 : 1_000_000).run())
}
if arguments.count > 2, arguments[1] == "overhead" {
    exit(OverheadCommand(csv: arguments[2], pairs: arguments.count > 3 ? Int(arguments[3]) ?? 0 : 40).run())
}
if arguments.dropFirst() == ["allocations"] { exit(AllocationCommand.run()) }
exit(await BenchCommand(drivers: KnownDriver.all).run(arguments: arguments).rawValue)

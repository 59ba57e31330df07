// snippet.WritingADriver
import BenchCommand
import BenchDrivers
import BenchHarness
import Foundation

struct MyDriver: StoreDriver {
    var name: String { "mine" }
    var summary: String { "my store" }
    var sessionType: any StoreSession.Type { MySession.self }
    func open(_ configuration: StoreConfiguration) throws -> any StoreSession { try MySession(configuration) }
}

// snippet.end
private func main() async {
    // snippet.WritingADriver
    exit(await BenchCommand(drivers: Drivers.all + [MyDriver()]).run(arguments: CommandLine.arguments).rawValue)
    // snippet.end
}

// snippet.BenchCommand
import BenchCommand
import Foundation

// snippet.end
private typealias MyDriver = FileDriver

private func main() async {
    // snippet.BenchCommand
    let code = await BenchCommand(drivers: [MyDriver()]).run(arguments: CommandLine.arguments)
    exit(code.rawValue)
    // snippet.end
}

import Foundation

exit(await Todo.run(Array(CommandLine.arguments.dropFirst())).rawValue)

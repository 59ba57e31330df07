// Fails unless every public symbol has documentation, and the landing page names every public type.
//
//     swift .ci/documented.swift LANDING-PAGE.md SYMBOL-GRAPH.json...
import Foundation

struct SymbolGraph: Decodable {
    struct Symbol: Decodable {
        struct Kind: Decodable { let identifier: String }
        struct Location: Decodable {
            struct Position: Decodable { let line: Int }
            let uri: String
            let position: Position
        }
        struct Comment: Decodable {}

        let kind: Kind
        let pathComponents: [String]
        let docComment: Comment?
        /// Nil for what the compiler made.
        let location: Location?
    }

    struct Module: Decodable { let name: String }

    let module: Module
    let symbols: [Symbol]
}

let types: Set = ["swift.class", "swift.struct", "swift.enum", "swift.protocol", "swift.typealias"]
let arguments = CommandLine.arguments
let landingPage = try String(contentsOfFile: arguments[1], encoding: .utf8)
var faults: [String] = []
for path in arguments.dropFirst(2) {
    let graph = try JSONDecoder().decode(SymbolGraph.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    for symbol in graph.symbols where symbol.kind.identifier != "swift.extension" {
        let name = symbol.pathComponents.joined(separator: ".")
        if let location = symbol.location, symbol.docComment == nil {
            let file = location.uri.replacing("file://", with: "")
            faults.append("\(file):\(location.position.line + 1): \(name) has no documentation")
        }
        if symbol.pathComponents.count == 1, types.contains(symbol.kind.identifier),
            !landingPage.contains("- ``\(name)``"), !landingPage.contains("- ``\(graph.module.name)/\(name)``")
        {
            faults.append("\(arguments[1]): no topic names \(name)")
        }
    }
}
if !faults.isEmpty {
    FileHandle.standardError.write(Data((faults.sorted().joined(separator: "\n") + "\n").utf8))
    exit(1)
}

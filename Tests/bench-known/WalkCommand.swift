import BenchHarness
import BenchInstrument
import Foundation

/// Measures what it costs that the harness reads the records of a fetch: of a million bare structs in an array.
struct WalkCommand {
    let output: String
    let records: Int

    private static let readings = 21

    /// - Returns: The exit code.
    func run() -> Int32 {
        do {
            let items = BareItems(items: (0..<max(records, 1)).map(BareItem.init))
            let cost = try WalkCost.measure(items, readings: Self.readings)
            print(cost.text)
            try Data(cost.json().utf8).write(to: URL(fileURLWithPath: output), options: .atomic)
            return 0
        } catch {
            FileHandle.standardError.write(Data("bench-known: error: \(error)\n".utf8))
            return 2
        }
    }
}

/// The to-do item of the main scenarios, and nothing around it.
private struct BareItem {
    let name: String
    let createdAt: Double
    let done: Bool

    init(_ ordinal: Int) {
        name = "Item \(ordinal)"
        createdAt = Double(ordinal) * 0.5
        done = ordinal.isMultiple(of: 3)
    }
}

/// Items as a driver hands them over, from another module than the harness's.
private struct BareItems: FetchedRecords {
    let items: [BareItem]

    var count: Int { items.count }

    func digest(_ positions: Range<Int>, into digester: inout RecordDigester) {
        for item in items[positions] {
            digester.add(item.name)
            digester.add(item.createdAt)
            digester.add(item.done)
            digester.endRecord()
        }
    }
}

import Foundation
import TestSupport

/// The table in the article Faults: at how many moments each fault was tried, by the fault's name.
enum FaultTable {
    static func moments(_ fault: String) throws -> Int {
        let article = Repository.url("Sources/ManagedStore/ManagedStore.docc/Failures.md")
        for line in try String(contentsOf: article, encoding: .utf8).split(separator: "\n") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            if cells.count > 2, cells[0] == fault, let moments = Int(cells[1]) { return moments }
        }
        throw FaultFailure("Failures.md has no row for \(fault)")
    }
}

import BenchHarness
import Foundation

/// The names of attributes and relationships in the model that Core Data keeps in a file: the column of `isPinned` is
/// `ZISPINNED`, which does not tell them.
struct ModelNames {
    private static let limit = 16_777_216
    /// The names by their capitals.
    private let names: [String: Set<String>]

    /// Reads the model, an archive that is compressed; there are no names if the file has none that can be read.
    init(_ connection: PlainConnection) {
        guard let row = try? connection.prepare("SELECT Z_CONTENT FROM Z_MODELCACHE"), (try? row.step()) == true,
            let list = Self.propertyList(Array(row.blob(0)))
        else {
            names = [:]
            return
        }
        let objects = (list as? [String: Any])?["$objects"] as? [Any] ?? []
        // Only properties have names that begin with small letters.
        let found = objects.compactMap { $0 as? String }.filter { $0.first?.isLowercase == true }
        names = Dictionary(grouping: Set(found)) { $0.uppercased() }.mapValues(Set.init)
    }

    private static func propertyList(_ compressed: [UInt8]) -> Any? {
        var inflater = Inflater(compressed[...], limit: limit)
        guard let archive = inflater.inflate()?.content else { return nil }
        return try? PropertyListSerialization.propertyList(from: Data(archive), format: nil)
    }

    /// Returns the name whose capitals are these; nil if there is none, or more than one.
    func name(of capitals: String) -> String? {
        let found = names[capitals.uppercased()] ?? []
        return found.count == 1 ? found.first : nil
    }
}

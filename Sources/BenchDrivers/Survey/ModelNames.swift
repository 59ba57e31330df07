import BenchHarness
import Foundation

/// The names of attributes and relationships in the model that Core Data keeps in a file: the column of `isPinned` is
/// `ZISPINNED`, which does not tell them.
struct ModelNames {
    private static let limit = 4_194_304
    /// The names by their capitals.
    private let names: [String: Set<String>]

    /// Reads the model, an archive that is compressed; there are no names if the file has none that can be read.
    init(_ connection: PlainConnection) {
        guard let row = try? connection.prepare("SELECT Z_CONTENT FROM Z_MODELCACHE"), (try? row.step()) == true else {
            names = [:]
            return
        }
        let texts = Self.texts(Array(row.blob(0)))
        // Only properties have names that begin with small letters.
        let found = texts.filter { $0.first?.isLowercase == true }
        names = Dictionary(grouping: Set(found)) { $0.uppercased() }.mapValues(Set.init)
    }

    private static func texts(_ compressed: [UInt8]) -> [String] {
        var inflater = Inflater(compressed[...], limit: limit)
        return inflater.inflate().flatMap { PropertyListTexts($0.content) }?.names ?? []
    }

    /// Returns the name whose capitals are these; nil if there is none, or more than one.
    func name(of capitals: String) -> String? {
        let found = names[capitals.uppercased()] ?? []
        return found.count == 1 ? found.first : nil
    }
}

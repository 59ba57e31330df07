/// Names as scenarios allow them.
enum ScenarioName {
    /// The name with an underscore for each character that names of entities and attributes cannot have.
    static func identifier(_ name: String) -> String {
        var scalars = String.UnicodeScalarView(name.unicodeScalars.map { $0.isInNames ? $0 : "_" })
        if scalars.first?.isLetter != true { scalars.insert("x", at: scalars.startIndex) }
        // What is left of the length is for a number.
        while scalars.reduce(0, { $0 + UTF8.width($1) }) > ScenarioLimits.nameLength - 4 { scalars.removeLast() }
        return String(scalars)
    }

    /// Says that something has another name in the scenario; nothing if it has its own.
    static func remarks(_ what: String, _ name: String, _ written: String) -> [String] {
        name == written ? [] : ["\(what) is called \(written)"]
    }
}

/// The names that one entity has already.
struct UsedNames {
    private var names: Set<String> = []

    /// The name, with a number after it if it is used already.
    mutating func unused(_ name: String) -> String {
        var (found, number) = (name, 2)
        // SQLite ignores the case of column names.
        while !names.insert(found.lowercased()).inserted {
            found = name + String(number)
            number += 1
        }
        return found
    }
}

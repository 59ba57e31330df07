import BenchHarness

extension RecordTable {
    /// Returns why a server cannot evaluate a condition; nil if it can. Its functions fold case otherwise than
    /// Foundation does, except for the letters of ASCII.
    func unsupportedReason(for filter: FilterSpec?) -> String? {
        guard let key = filter?.keyOfOtherLetters(self) else { return nil }
        return "a server folds the case of ASCII letters as all drivers do, but \(key) has others"
    }
}

extension FilterSpec {
    /// Returns an attribute with other letters than those of ASCII that a condition on rows of a table compares without
    /// regard to case; nil if there is none.
    fileprivate func keyOfOtherLetters(_ table: RecordTable) -> String? {
        switch self {
        case .ignoringCase(let key, _, _): table.hasOnlyASCII(key) ? nil : key
        case .compare, .oneOf, .between: nil
        case .any(let relationship, let condition):
            table.schema.relationship(relationship, of: table.schema.focus)
                .flatMap { condition.keyOfOtherLetters(table.table(of: $0.destination)) }
                .map { "\(relationship).\($0)" }
        case .and(let parts), .or(let parts): parts.lazy.compactMap { $0.keyOfOtherLetters(table) }.first
        case .not(let part): part.keyOfOtherLetters(table)
        }
    }
}

extension RecordTable {
    fileprivate func hasOnlyASCII(_ key: String) -> Bool {
        if let (toOne, rest) = entity.reached(by: key) { return target(toOne).hasOnlyASCII(rest) }
        return entity.index(of: key).map { entity.attributes[$0].generator.hasOnlyASCII } ?? true
    }
}

extension Generator {
    /// Whether its texts are of ASCII alone.
    fileprivate var hasOnlyASCII: Bool {
        switch self {
        case .constant(let value): value.hasOnlyASCII
        case .sequence(let prefix, _, _): prefix.utf8.allSatisfy { $0 < 0x80 }
        case .choice(let values, _): values.allSatisfy(\.hasOnlyASCII)
        case .uniform, .random, .randomLengths, .owner, .earlier, .words, .ascending: true
        }
    }
}

extension FieldValue {
    fileprivate var hasOnlyASCII: Bool {
        if case .string(let text) = self { text.utf8.allSatisfy { $0 < 0x80 } } else { true }
    }
}

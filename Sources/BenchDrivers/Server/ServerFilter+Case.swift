import BenchHarness

extension ServerFilter {
    /// Returns why a server cannot evaluate a condition; nil if it can. Its functions fold case otherwise than
    /// Foundation does, except for the letters of ASCII.
    static func unsupportedReason(_ filter: FilterSpec?, _ entity: EntitySpec) -> String? {
        guard let key = filter?.caselessKeys.first(where: { !hasOnlyASCII($0, entity) }) else { return nil }
        return "a server folds the case of ASCII letters as all drivers do, but \(key) has others"
    }

    private static func hasOnlyASCII(_ key: String, _ entity: EntitySpec) -> Bool {
        if let owner = entity.owner, let attribute = entity.ownersAttribute(key) {
            return owner.attributes[attribute].generator.hasOnlyASCII
        }
        return entity.index(of: key).map { entity.attributes[$0].generator.hasOnlyASCII } ?? true
    }
}

extension FilterSpec {
    /// The attributes that a condition compares without regard to case.
    fileprivate var caselessKeys: [String] {
        switch self {
        case .ignoringCase(let key, _, _): [key]
        case .compare, .oneOf, .between, .any: []
        case .and(let parts), .or(let parts): parts.flatMap(\.caselessKeys)
        case .not(let part): part.caselessKeys
        }
    }
}

extension Generator {
    /// Whether its texts are of ASCII alone.
    fileprivate var hasOnlyASCII: Bool {
        switch self {
        case .constant(let value): value.hasOnlyASCII
        case .sequence(let prefix, _, _): prefix.utf8.allSatisfy { $0 < 0x80 }
        case .choice(let values, _): values.allSatisfy(\.hasOnlyASCII)
        case .uniform, .random, .randomLengths, .owner, .words, .ascending: true
        }
    }
}

extension FieldValue {
    fileprivate var hasOnlyASCII: Bool {
        if case .string(let text) = self { text.utf8.allSatisfy { $0 < 0x80 } } else { true }
    }
}

import Foundation

/// `localizedStandardContains`, which the predicate macro knows but Foundation on Linux does not declare.
extension PredicateExpressions {
    /// Whether a string contains another, ignoring case.
    public struct LocalizedStandardContains<Base: PredicateExpression, Other: PredicateExpression>: PredicateExpression
    where Base.Output == String, Other.Output == String {
        /// True or false.
        public typealias Output = Bool
        let base: Base
        let other: Other

        /// Evaluates the expression in memory, by the rule that the store follows.
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            var text = CaseFolding.fold(try base.evaluate(bindings))
            let needle = CaseFolding.fold(try other.evaluate(bindings))
            return text.withUTF8 { StringMatching.matches(UnsafeRawBufferPointer($0), .contains, needle) }
        }
    }

    /// What the macro turns `base.localizedStandardContains(other)` into.
    public static func build_localizedStandardContains<Base, Other>(
        _ base: Base, _ other: Other
    ) -> LocalizedStandardContains<Base, Other> {
        LocalizedStandardContains(base: base, other: other)
    }
}

extension PredicateExpressions.LocalizedStandardContains: Sendable where Base: Sendable, Other: Sendable {}
extension PredicateExpressions.LocalizedStandardContains: Codable where Base: Codable, Other: Codable {}
extension PredicateExpressions.LocalizedStandardContains: StandardPredicateExpression
where Base: StandardPredicateExpression, Other: StandardPredicateExpression {}

extension PredicateExpressions.LocalizedStandardContains: SQLExpressible {
    func term(_ walker: PredicateWalker) throws(StoreError) -> PredicateTerm {
        try walker.match(base, .contains, other, .caseInsensitive)
    }
}

extension String {
    /// Whether the string contains `other`, ignoring case; for use in predicates.
    public func localizedStandardContains(_ other: String) -> Bool {
        var text = CaseFolding.fold(self)
        let needle = CaseFolding.fold(other)
        return text.withUTF8 { StringMatching.matches(UnsafeRawBufferPointer($0), .contains, needle) }
    }
}

import Foundation

/// `localizedStandardContains`, which the predicate macro supports but Foundation on Linux does not declare.
extension PredicateExpressions {
    /// Tests whether a string contains another, ignoring case and diacritics.
    public struct LocalizedStandardContains<Base: PredicateExpression, Other: PredicateExpression>: PredicateExpression
    where Base.Output == String, Other.Output == String {
        /// True or false.
        public typealias Output = Bool
        let base: Base
        let other: Other

        /// Evaluates the expression in memory by the store's rule.
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            try base.evaluate(bindings).localizedStandardContains(try other.evaluate(bindings))
        }
    }

    /// Builds the expression for `base.localizedStandardContains(other)` in the macro's expansion.
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
        try walker.match(base, .contains, other, [.caseInsensitive, .diacriticInsensitive])
    }
}

extension String {
    /// Whether the string contains `other`, ignoring case and diacritics; for use in predicates.
    public func localizedStandardContains(_ other: String) -> Bool {
        let test = TextTest(.contains, other, [.caseInsensitive, .diacriticInsensitive])
        var text = self
        return text.withUTF8 { test.holds(UnsafeRawBufferPointer($0)) }
    }
}

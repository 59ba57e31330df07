/// What is not as it must be, in words.
struct Discrepancy: Error, CustomStringConvertible {
    let description: String
}

/// What a driver turns out not to do once a session is open, which is no fault.
struct Unsupported: Error {
    let reason: String
}

/// Throws unless `condition` holds.
///
/// - Parameter message: Says what was found and what was expected.
func expect(_ condition: Bool, _ message: @autoclosure () -> String) throws(Discrepancy) {
    if !condition { throw Discrepancy(description: message()) }
}

/// Throws unless two values are equal.
///
/// - Parameter what: What was found, with a verb: "the fetch found".
func expectEqual<Value: Equatable>(_ found: Value, _ expected: Value, _ what: String) throws(Discrepancy) {
    try expect(found == expected, "\(what) \(found); expected \(expected)")
}

/// Throws unless a number that a store may not know is what it must be.
func expectKnown(
    _ found: Int?, _ what: String, _ expected: String, where isRight: (Int) -> Bool
) throws(Discrepancy) {
    if let found { try expect(isRight(found), "\(what) \(found); expected \(expected)") }
}

/// Throws unless `body` throws.
///
/// - Parameter what: What must be refused.
/// - Returns: The error, in words.
@discardableResult
func expectRefusal(of what: String, _ body: () throws -> Void) throws(Discrepancy) -> String {
    do {
        try body()
    } catch {
        return "\(error)"
    }
    throw Discrepancy(description: "\(what) succeeded; expected an error")
}

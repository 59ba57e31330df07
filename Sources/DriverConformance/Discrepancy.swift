/// A difference between what was found and what was expected, in words.
struct Discrepancy: Error, CustomStringConvertible {
    let description: String
}

/// A limit of the driver that only an open session shows, which is not a failure.
struct Unsupported: Error {
    let reason: String
}

/// Throws unless `condition` holds.
///
/// - Parameter message: What was found and what was expected.
func expect(_ condition: Bool, _ message: @autoclosure () -> String) throws(Discrepancy) {
    if !condition { throw Discrepancy(description: message()) }
}

/// Throws unless two values are equal.
///
/// - Parameter what: The subject of the message, with a verb: "the fetch found".
func expectEqual<Value: Equatable>(_ found: Value, _ expected: Value, _ what: String) throws(Discrepancy) {
    try expect(found == expected, "\(what) \(found); expected \(expected)")
}

/// Throws unless a number has the expected value; the number may be unknown.
func expectKnown(
    _ found: Int?, _ what: String, _ expected: String, where isRight: (Int) -> Bool
) throws(Discrepancy) {
    if let found { try expect(isRight(found), "\(what) \(found); expected \(expected)") }
}

/// Throws unless `body` throws.
///
/// - Parameter what: The subject that must be refused.
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

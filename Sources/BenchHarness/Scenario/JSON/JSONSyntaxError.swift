/// Why bytes are no JSON, or none that a scenario may be written in.
struct JSONSyntaxError: Error, Equatable {
    let offset: Int
    let found: String
    var expected: String?
}

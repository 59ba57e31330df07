/// The reason why bytes are not JSON, or not the JSON of a scenario.
struct JSONSyntaxError: Error, Equatable {
    let offset: Int
    let found: String
    var expected: String?
}

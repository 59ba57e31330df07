/// Something that a person typed and that cannot be used: one line that names it, and the fix.
struct UsageError: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// What keeps a run from going on, as opposed to what a phase did wrong, which stands in its row.
public struct RunError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What it is about.
    public enum Code: String, Sendable {
        /// The files that a run writes.
        case output
        /// The folder in which stores lie.
        case storeDirectory
        /// A process that runs a repetition.
        case process
        /// What a phase does.
        case phase
        /// A file of results that was read.
        case results
    }

    /// What it is about.
    public let code: Code
    /// One line that names the thing and the reason.
    public let description: String

    /// Creates an error.
    public init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}

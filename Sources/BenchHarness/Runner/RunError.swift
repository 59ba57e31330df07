/// An error that stops a run. A failure of a phase, in contrast, goes into the phase's row.
public struct RunError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The subject of an error.
    public enum Code: String, Sendable {
        /// The files that a run writes.
        case output
        /// The folder of the stores.
        case storeDirectory
        /// A process that runs a repetition.
        case process
        /// The work of a phase.
        case phase
        /// What was asked for, which cannot be done as it is.
        case request
        /// A file of results.
        case results
        /// A load that several processes share.
        case meeting
    }

    /// The subject.
    public let code: Code
    /// One line with the subject and the reason.
    public let description: String

    /// Creates an error.
    public init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}

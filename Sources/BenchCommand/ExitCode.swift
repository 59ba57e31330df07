/// The exit code of the program. Where several apply, 2 precedes 3, 3 precedes 1, and 1 precedes 4.
public enum ExitCode: Int32, Sendable, CaseIterable {
    /// Success.
    case success = 0
    /// A comparison found a regression.
    case regression = 1
    /// The command line, a scenario or a file of results is invalid.
    case usage = 2
    /// A phase, its verification, or the writing of results or of standard output failed.
    case failure = 3
    /// The data does not decide: there is too little of it, or, with `--strict`, a figure is inconclusive.
    case insufficientData = 4
    /// The program was stopped.
    case interrupted = 130
}

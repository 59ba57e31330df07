/// Two commands that take turns: any two programs, whose CPU time is compared.
public struct PairedCommands: Sendable, Equatable {
    /// What results call the comparison, in the column of the scenario.
    public var name: String
    /// Whether both must write the same to standard output.
    public var comparesOutput: Bool

    /// Creates a comparison.
    public init(name: String = "command", comparesOutput: Bool = false) {
        self.name = name
        self.comparesOutput = comparesOutput
    }

    /// The phase and the kind that rows of commands have.
    package static let (phase, kind) = ("run", "command")
}

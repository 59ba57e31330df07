import BenchHarness

/// The known work of the drivers in a study of the harness itself: the study compares reports with it.
public struct KnownWork: Sendable, Equatable, Codable {
    /// The driver that does nothing.
    public static let nothing = "nothing"
    /// The driver that waits for a known time.
    public static let waits = "waits"
    /// The driver that uses a known amount of memory.
    public static let allocates = "allocates"

    /// The wait of a phase of one operation.
    public var phaseNanoseconds: Int
    /// The wait of each operation in a phase of several.
    public var operationNanoseconds: Int
    /// The memory that each phase allocates and touches at its peak, apart from the harness's own.
    public var allocatedBytes: Int

    /// Describes the work.
    public init(phaseNanoseconds: Int, operationNanoseconds: Int, allocatedBytes: Int) {
        self.phaseNanoseconds = phaseNanoseconds
        self.operationNanoseconds = operationNanoseconds
        self.allocatedBytes = allocatedBytes
    }

    /// Returns the shortest possible total wait of a phase whose operations run on `lanes` threads at once.
    func leastWait(operations: Int, lanes: Int) -> Int {
        operations > 1 ? (operations + lanes - 1) / lanes * operationNanoseconds : phaseNanoseconds
    }
}

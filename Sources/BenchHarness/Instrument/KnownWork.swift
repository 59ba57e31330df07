/// What the drivers of a study of the harness itself do, known beforehand, so that what is reported can be held against
/// it.
public struct KnownWork: Sendable, Equatable, Codable {
    /// The driver that does nothing.
    public static let nothing = "nothing"
    /// The driver that waits for a known time.
    public static let waits = "waits"
    /// The driver that uses a known amount of memory.
    public static let allocates = "allocates"

    /// How long a phase of one operation waits.
    public var phaseNanoseconds: Int
    /// How long each operation waits in a phase of several.
    public var operationNanoseconds: Int
    /// What each phase has allocated and touched at its peak, besides what it takes itself.
    public var allocatedBytes: Int

    /// Describes the work.
    public init(phaseNanoseconds: Int, operationNanoseconds: Int, allocatedBytes: Int) {
        self.phaseNanoseconds = phaseNanoseconds
        self.operationNanoseconds = operationNanoseconds
        self.allocatedBytes = allocatedBytes
    }

    /// The least that a phase can have waited whose operations `lanes` threads did at once.
    func leastWait(operations: Int, lanes: Int) -> Int {
        operations > 1 ? (operations + lanes - 1) / lanes * operationNanoseconds : phaseNanoseconds
    }
}

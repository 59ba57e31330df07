import Foundation

/// What `make test EVERY_TEST=1` runs besides: tests that take long, and further cases of others. A change waits for
/// neither; `.ci/nightly` runs them.
public enum EveryTest {
    /// Whether they are to run.
    public static let isWanted = ProcessInfo.processInfo.environment["EVERY_TEST"] == "1"

    /// Returns all of the cases of a test, or the first few.
    public static func cases<Case>(_ few: Int, of all: [Case]) -> [Case] { isWanted ? all : Array(all.prefix(few)) }

    /// Returns the number of rounds of a test: `all`, or a few.
    public static func rounds(_ few: Int, of all: Int) -> Int { isWanted ? all : few }
}

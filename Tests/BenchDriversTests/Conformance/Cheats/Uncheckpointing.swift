import BenchHarness
import ForwardingDriver

/// Leaves the log as it is.
final class Uncheckpointing: ForwardingSession {
    override func checkpoint() {}
}

import TestSupport
import Testing

extension Trait where Self == ConditionTrait {
    /// For a test that takes long: it runs if every test is to run.
    static var takesLong: Self { .enabled(if: EveryTest.isWanted, "make test EVERY_TEST=1 runs it") }
}

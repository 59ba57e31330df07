// The fuzzer compiles the harness and this folder as one module; see .ci/fuzz.
#if !FUZZING
    @testable import BenchHarness
#endif

extension ExportFormat {
    /// A run in this format as a whole.
    func text(_ run: RecordedRun) throws -> String {
        var text = ""
        try write(run) { text += $0 }
        return text
    }
}

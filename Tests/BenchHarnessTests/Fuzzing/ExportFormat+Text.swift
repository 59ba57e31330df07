import BenchHarness
import BenchReport

extension ExportFormat {
    /// A run in this format as a whole.
    func text(_ run: RecordedRun) throws -> String {
        var text = ""
        try write(run) { text += $0 }
        return text
    }
}

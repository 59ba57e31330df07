@testable import BenchHarness

extension ResultTable {
    /// Reads a text as if it were the file called `file`.
    init(csv: String, file: String) throws(RunError) {
        try self.init(CSVReader(file: file, bytes: Array(csv.utf8)))
    }
}

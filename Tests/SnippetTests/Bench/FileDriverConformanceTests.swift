// snippet.WritingADriver.tests
import DriverConformance
import Foundation
import Testing

// snippet.line @testable import file_bench
// snippet.end
@Suite struct FileDriverConformanceTests {
    // snippet.WritingADriver.tests
    @Test(arguments: ConformanceCheck.all)
    func fileDriverConforms(_ check: ConformanceCheck) async throws {
        let outcome = try await check.run(FileDriver())
        if case .unsupported(let reason) = outcome {
            FileHandle.standardError.write(Data("\(check) is unsupported: \(reason)\n".utf8))
        }
    }
    // snippet.end
}

// snippet.ConformanceCheck
import DriverConformance
import Testing

// snippet.end
@Suite struct ConformanceSnippet {
    /// Stands in for the driver of the reader: the one that the manual shows conforms, too.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    private func MyDriver() -> FileDriver { FileDriver() }

    // snippet.ConformanceCheck
    @Test(arguments: ConformanceCheck.all)
    func myDriverConforms(_ check: ConformanceCheck) async throws {
        try await check.run(MyDriver())
    }
    // snippet.end
}

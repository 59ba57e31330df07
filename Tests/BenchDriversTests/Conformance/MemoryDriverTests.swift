import DriverConformance
import MemoryDriver
import Testing

/// No check asks for something that only a store with a query language, or only a driver of this package, can do.
@Suite("A driver of Swift's collections and the public libraries")
struct MemoryDriverTests {
    @Test("passes every check", arguments: ConformanceCheck.all)
    func conforms(_ check: ConformanceCheck) async throws {
        #expect(try await check.run(MemoryDriver()) == .passed)
    }
}

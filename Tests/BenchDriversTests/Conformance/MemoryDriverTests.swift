import DriverConformance
import MemoryDriver
import Testing

/// No check asks for something that only a store with a query language, or only a driver of this package, can do.
@Suite struct MemoryDriverTests {
    @Test(arguments: ConformanceCheck.all)
    func theMemoryDriverPassesEveryCheck(_ check: ConformanceCheck) async throws {
        #expect(try await check.run(MemoryDriver()) == .passed)
    }
}

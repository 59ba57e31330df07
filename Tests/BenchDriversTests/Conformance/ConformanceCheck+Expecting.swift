import BenchHarness
import DriverConformance
import Testing

extension ConformanceCheck {
    /// Expects a driver to pass, or to say why it does not support the check.
    ///
    /// - Parameters:
    ///   - unsupported: A part of the reason, by the driver and the check.
    ///   - lacked: The capabilities that the driver's sessions lack.
    func expectConformance(
        of driver: any StoreDriver, except unsupported: [String: String], lacking lacked: Set<String>
    ) async throws {
        let lack = lacked.intersection(capabilities).sorted().first
        let expected = unsupported["\(driver.name): \(self)"] ?? lack.map { "sessions do not conform to \($0)" }
        switch try await run(driver) {
        case .passed: #expect(expected == nil, "expected it to be unsupported")
        case .unsupported(let reason): #expect(reason.contains(try #require(expected, "\(reason)")))
        }
    }
}

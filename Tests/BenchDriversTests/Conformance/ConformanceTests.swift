import BenchHarness
import DriverConformance
import Testing

@Suite struct ConformanceTests {
    /// What our drivers do not do, by the driver and the check: a part of the reason that they give.
    private static let unsupported = [
        "managed: relationships: moves records to another (Item, batch)": "list",
        "managed: relationships: moves records to another (Sample, batch)": "box",
    ]

    @Test(arguments: DriverCase.all, ConformanceCheck.all)
    func everyDriverConformsExceptWhereItSaysSo(_ subject: DriverCase, to check: ConformanceCheck) async throws {
        let expected = Self.unsupported["\(subject.driver.name): \(check)"]
        switch try await check.run(subject.driver) {
        case .passed: #expect(expected == nil, "expected it to be unsupported")
        // A session says by its type which capabilities it has.
        case .unsupported(let reason) where reason.contains("sessions do not conform to"): break
        case .unsupported(let reason): #expect(reason.contains(try #require(expected, "\(reason)")))
        }
    }

    @Test func theExceptionsNameChecksThatExist() {
        let names = Set(
            DriverCase.all.flatMap { subject in ConformanceCheck.all.map { "\(subject.driver.name): \($0)" } })
        #expect(Set(Self.unsupported.keys).subtracting(names).isEmpty)
    }
}

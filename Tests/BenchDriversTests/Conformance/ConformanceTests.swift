import BenchHarness
import DriverConformance
import Testing

@Suite struct ConformanceTests {
    /// What our drivers do not do, by the driver and the check: a part of the reason that they give.
    private static let unsupported = [
        "managed: relationships: moves records to another (Item, batch)": "list",
        "managed: relationships: moves records to another (Sample, batch)": "box",
    ]
    /// The capabilities that their sessions lack.
    private static let lacked: [String: Set] = [
        "sqlite": ["UndoingSession", "WatchingSession"], "sqlite-tuned": ["UndoingSession", "WatchingSession"],
    ]

    @Test(arguments: DriverCase.all, ConformanceCheck.all)
    func everyDriverConformsExceptWhereItSaysSo(_ subject: DriverCase, to check: ConformanceCheck) async throws {
        try await check.expectConformance(
            of: subject.driver, except: Self.unsupported, lacking: Self.lacked[subject.driver.name] ?? [])
    }

    @Test func theExceptionsNameChecksThatExist() {
        let names = Set(
            DriverCase.all.flatMap { subject in ConformanceCheck.all.map { "\(subject.driver.name): \($0)" } })
        #expect(Set(Self.unsupported.keys).subtracting(names).isEmpty)
    }
}

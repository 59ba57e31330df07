import BenchHarness
import DriverConformance
import Testing

@Suite struct ConformanceTests {
    /// What our drivers do not do, by the driver and the check: a part of the reason that they give.
    private static let unsupported = [
        "sqlite: loads: counts every one of the saves that meet (notifications, with owners)": "it observes no saves",
        "sqlite: loads: counts every one of the saves that meet (notifications)": "it observes no saves",
        "sqlite: loads: counts every one of the saves that meet (controller, with owners)": "it observes no saves",
        "sqlite: loads: counts every one of the saves that meet (controller)": "it observes no saves",
        "sqlite-tuned: loads: counts every one of the saves that meet (notifications, with owners)":
            "it observes no saves",
        "sqlite-tuned: loads: counts every one of the saves that meet (notifications)":
            "it observes no saves",
        "sqlite-tuned: loads: counts every one of the saves that meet (controller, with owners)":
            "it observes no saves",
        "sqlite-tuned: loads: counts every one of the saves that meet (controller)": "it observes no saves",
        "sqlite: loads: shows the head of a feed after every save": "it observes no saves",
        "sqlite-tuned: loads: shows the head of a feed after every save": "it observes no saves",
        "sqlite: undoing: gives records back the values that they had (steps of 1)": "it takes no changes back",
        "sqlite: undoing: gives records back the values that they had (steps of 7)": "it takes no changes back",
        "sqlite: undoing: gives records back the values that they had (steps of 1000)": "it takes no changes back",
        "sqlite-tuned: undoing: gives records back the values that they had (steps of 1)": "it takes no changes back",
        "sqlite-tuned: undoing: gives records back the values that they had (steps of 7)": "it takes no changes back",
        "sqlite-tuned: undoing: gives records back the values that they had (steps of 1000)":
            "it takes no changes back",
        "managed: relationships: moves records to another owner (Item, batch)": "list",
        "managed: relationships: moves records to another owner (Sample, batch)": "box",
    ]

    @Test(arguments: DriverCase.all, ConformanceCheck.all)
    func everyDriverConformsExceptWhereItSaysSo(_ subject: DriverCase, to check: ConformanceCheck) async throws {
        let expected = Self.unsupported["\(subject.driver.name): \(check)"]
        switch try await check.run(subject.driver) {
        case .passed: #expect(expected == nil, "expected it to be unsupported")
        case .unsupported(let reason): #expect(reason.contains(try #require(expected, "\(reason)")))
        }
    }

    @Test func theExceptionsNameChecksThatExist() {
        let names = Set(
            DriverCase.all.flatMap { subject in ConformanceCheck.all.map { "\(subject.driver.name): \($0)" } })
        #expect(Set(Self.unsupported.keys).subtracting(names).isEmpty)
    }
}

import Testing
import BenchDrivers
import BenchHarness

/// A driver as an argument of a test, named in its output. Every driver in ``Drivers/all`` must pass the conformance
/// suite.
struct DriverCase: Sendable, CustomTestStringConvertible {
    static let all = Drivers.all.map(DriverCase.init)

    let driver: any StoreDriver

    init(_ driver: any StoreDriver) { self.driver = driver }

    var testDescription: String { driver.name }
}

import BenchDrivers
import BenchHarness
import Dispatch
import DriverConformance
import ForwardingDriver
import Foundation
import TestSupport
import Testing

/// A suite that cannot fail is worth nothing: wrong drivers must fail it.
@Suite struct ConformanceSuiteTests {
    @Test(arguments: WrongDriver.all)
    func aWrongDriverFails(_ driver: WrongDriver) async throws {
        for (prefix, text) in driver.fails {
            let checks = ConformanceCheck.all.filter { $0.name.hasPrefix(prefix) }
            #expect(!checks.isEmpty, "no check begins with \(prefix)")
            for check in checks {
                let failure = try #require(await failure(of: check, driver), "\(check) found nothing wrong")
                #expect(failure.problem.contains(text))
                #expect(failure.check == check.name && failure.driver == driver.name && !failure.steps.isEmpty)
                #expect("\(failure)".hasPrefix("\(driver.name) fails the check \"\(check)\" at step "))
            }
        }
    }

    @Test func aFailureTellsWhatWasFoundAndTheStepsThatLedToIt() async throws {
        let driver = try #require(WrongDriver.all.first { $0.name == "ignores a limit" })
        let check = try #require(ConformanceCheck.all.first { $0.name.contains("stops at a limit") })
        let failure = try #require(await failure(of: check, driver))
        #expect(
            "\(failure)" == """
                ignores a limit fails the check "fetching: stops at a limit, after sorting (sync)" at step 3: the fetch \
                found 1000 records; expected 25; unexpected: 975
                  1. open the store
                  2. seed 1000 records
                  3. fetch (sync) sorted by createdAt descending limited to 25
                """)
    }

    @Test func everyCheckCanFail() {
        let failing = WrongDriver.all.flatMap(\.fails).map(\.check)
        for check in ConformanceCheck.all where !failing.contains(where: check.name.hasPrefix) {
            Issue.record("no wrong driver fails \(check)")
        }
    }

    @Test(arguments: ConformanceCheck.all)
    func aDriverThatForwardsPasses(_ check: ConformanceCheck) async throws {
        try await check.run(WrongDriver("forwards", fails: []) { base, _ in ForwardingSession(base) })
    }

    @Test func eachCheckHasItsOwnName() {
        #expect(Set(ConformanceCheck.all.map(\.name)).count == ConformanceCheck.all.count)
    }

    @Test func everyCapabilityOfTheManualHasChecks() throws {
        let page = Repository.url("Sources/BenchHarness/BenchHarness.docc/WritingADriver.md")
        let rows = try String(contentsOf: page, encoding: .utf8).matches(of: /\| ``(\w+)`` \| `/)
        let checked = Set(ConformanceCheck.all.flatMap(\.capabilities))
        // The store of a check has no pairs of records. A scenario has them.
        let scenario = try ScenarioReader().read(Data(EntitiesScenario.json.utf8), file: "shop.json")
        let linking = "LinkingSession"
        #expect(checked.union([linking]) == Set(rows.map { String($0.output.1) }))
        #expect(!checked.contains(linking) && scenario.phases.contains { $0.capabilities.contains(linking) })
    }

    @Test(arguments: ConformanceCheck.all)
    func aDriverIsNotAskedForCapabilitiesThatItLacks(_ check: ConformanceCheck) async throws {
        let outcome = try await check.run(
            WrongDriver("seeds", sessionType: Plain.self, fails: []) { base, _ in Plain(base) })
        switch (outcome, check.capabilities.first) {
        case (.passed, nil): break
        case (.unsupported(let reason), let first?):
            #expect(reason.hasSuffix("its sessions do not conform to \(first)"))
        default: Issue.record("\(check) came to \(outcome)")
        }
    }

    @Test func aDriverThatCountsNoConflictsIsAskedForNone() async throws {
        let driver = WrongDriver("counts nothing", fails: []) { base, _ in CountingNothing(base) }
        let check = try #require(ConformanceCheck.all.first { $0.name.hasPrefix("updating: refuses") })
        guard case .unsupported(let reason) = try await check.run(driver) else {
            Issue.record("a driver that may not find conflicts was asked for them")
            return
        }
        #expect(reason.contains("count no conflicts"))
    }

    @Test func sessionsThatLackADeclaredCapabilityAreFound() async throws {
        struct Boastful: StoreDriver {
            let name = "boastful"
            let summary = "for tests"
            var sessionType: any StoreSession.Type { ForwardingSession.self }
            func open(_ configuration: StoreConfiguration) throws -> any StoreSession {
                Plain(try SQLiteDriver().open(configuration))
            }
        }
        for check in ConformanceCheck.all where !check.capabilities.isEmpty {
            guard check.reasonUnsupported(by: Boastful()) == nil else { continue }
            let failure = try #require(await failure(of: check, Boastful()), "\(check) found nothing wrong")
            #expect(failure.problem.contains("that its sessionType declares"))
        }
    }

    private func failure(of check: ConformanceCheck, _ driver: any StoreDriver) async -> ConformanceFailure? {
        do throws(ConformanceFailure) {
            try await check.run(driver)
            return nil
        } catch {
            return error
        }
    }
}

extension WrongDriver: CustomTestStringConvertible {
    var testDescription: String { name }
}

/// Does what every session must, and has no capability.
private final class Plain: StoreSession {
    private let base: any StoreSession

    init(_ base: any StoreSession) { self.base = base }

    var queue: DispatchQueue { base.queue }

    func seed(_ work: SeedWork, records: Int, monitor: PhaseMonitor) throws {
        try base.seed(work, records: records, monitor: monitor)
    }
    func finish() { base.finish() }
    func counters() throws -> StoreCounters { try base.counters() }
    func resetCounters() { base.resetCounters() }
    func scan(into digester: inout RecordDigester) throws { try base.scan(into: &digester) }
    func checkIntegrity() throws -> [String] { try base.checkIntegrity() }
    func close() throws { try base.close() }
}

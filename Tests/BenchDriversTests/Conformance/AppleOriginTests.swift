import Foundation
import TestSupport
import Testing

@testable import BenchDrivers
@testable import BenchHarness
@testable import DriverConformance

/// Files that Apple's Core Data wrote itself, from `bench describe` to phases that start from them.
@Suite(.enabled(if: AppleFiles.areThere, AppleFiles.absence)) struct AppleOriginTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    @Test(arguments: [
        (AppleFiles.library, ["Page 119", "Feedback 3", "Book 2", "Author 1", "GraphicNovel 1"]),
        (AppleFiles.users, ["User 12"]),
    ])
    func everyEntityIsDescribed(_ name: String, _ sizes: [String]) throws {
        let scenario = try described(AppleFiles.copy(name, into: folder.url), entity: nil, phases: nil)
        #expect(scenario.entities.map { "\($0.name) \($0.records ?? scenario.records)" } == sizes)
    }

    @Test(
        arguments: DriverCase.all,
        [
            (AppleFiles.library, "Page"), (AppleFiles.library, "Book"), (AppleFiles.library, "Writer"),
            (AppleFiles.users, "User"),
        ])
    func everyOutcomeIsVerifiedAgainstTheFile(_ subject: DriverCase, _ origin: (file: String, entity: String))
        async throws
    {
        let file = try AppleFiles.copy(origin.file, into: folder.url)
        let before = try Data(contentsOf: file)
        let changes = [
            "Page": #"{ "isBookmarked": { "toggle": true } }"#, "Book": #"{ "title": "Rex" }"#,
            "Writer": #"{ "age": { "add": 1 } }"#, "User": #"{ "petName": "Rex" }"#,
        ]
        let change = try #require(changes[origin.entity])
        let works = [
            #""kind": "fetch", "mode": "sync""#, #""kind": "count""#,
            #""kind": "update", "mode": "per_object", "set": \#(change)"#,
            #""kind": "update", "mode": "batch", "set": \#(change)"#, #""kind": "delete", "mode": "batch""#,
        ].map { #"\#($0), "from": { "file": "\#(file.path)" }"# }
        let scenario = try described(file, entity: origin.entity, phases: works)
        for row in try await scenario.rows(by: subject.driver) {
            if origin.entity == "Book", subject.driver is ManagedDriver {
                #expect(row.status == .unsupported && row.error.hasPrefix("the file has decimal numbers in price"))
            } else {
                #expect(row.status == .ok && row.verified == true, "\(row.phase): \(row.error)")
            }
        }
        #expect(try Data(contentsOf: file) == before)
    }

    private func described(_ file: URL, entity: String?, phases: [String]?) throws -> Scenario {
        let survey = try SQLiteSurveyor().survey(file)
        var text = try DescribedScenario(named: "apple", of: survey, from: "a.sqlite", entity: entity).text
        if let phases, let head = text.components(separatedBy: #""phases": ["#).first {
            let list = phases.enumerated().map { #"{ "name": "phase\#($0)", \#($1) }"# }.joined(separator: ", ")
            text = head + #""phases": [\#(list)] }"#
        }
        var scenario = try ScenarioReader().read(Data(text.utf8), file: "apple.json")
        scenario.isolation = .none
        return scenario
    }
}

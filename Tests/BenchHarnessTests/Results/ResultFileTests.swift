import Foundation
import TestSupport
import Testing

@testable import BenchHarness

@Suite struct ResultFileTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private var path: String { directory.file("out.csv").path }

    @Test func rowsAreOnDiskAtOnce() throws {
        let file = try ResultFile(path: path, replace: false)
        try file.append(ResultRow())
        let records = try CSVReader.records(String(contentsOfFile: path, encoding: .utf8))
        #expect(records.map(\.count) == [ResultColumn.all.count, ResultColumn.all.count])
    }

    @Test func existingResultsAreNotReplacedUnasked() throws {
        _ = try ResultFile(path: path, replace: false)
        #expect(throws: RunError.self) { try ResultFile(path: path, replace: false) }
        _ = try ResultFile(path: path, replace: true)
    }

    @Test func aFileThatIsBeingWrittenIsNotReplaced() throws {
        let file = try ResultFile(path: path, replace: false)
        let before = try String(contentsOfFile: path, encoding: .utf8)
        let error = #expect(throws: RunError.self) { try ResultFile(path: path, replace: true) }
        #expect(error?.description.contains("another run is writing it") == true)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == before)
        withExtendedLifetime(file) {}
    }

    /// A process that is being started has a copy of each descriptor for a moment.
    @Test func aCopyOfTheDescriptorDoesNotKeepAFileLocked() throws {
        var file: ResultFile? = try ResultFile(path: path, replace: false)
        let copy = try #require(OpenFile.descriptor(of: path).map { dup($0) })
        defer { close(copy) }
        withExtendedLifetime(file) {}
        file = nil
        _ = try ResultFile(path: path, replace: true)
    }

    @Test func replacedResultsAreGone() throws {
        try ResultFile(path: path, replace: false).append(ResultRow())
        _ = try ResultFile(path: path, replace: true)
        #expect(try CSVReader.records(String(contentsOfFile: path, encoding: .utf8)).count == 1)
    }

    @Test func fullDiskIsAnError() throws {
        let error = #expect(throws: RunError.self) { try ResultFile(path: "/dev/full", replace: true) }
        #expect(error?.description.contains("No space left on device") == true)
    }
}

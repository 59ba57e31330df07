import Foundation
import TestSupport
import Testing

@testable import BenchHarness

@Suite struct OutputDifferenceTests {
    private func find(_ base: Data, _ new: Data) throws -> OutputDifference? {
        let folder = try TemporaryDirectory()
        let files = [folder.file("base"), folder.file("new")]
        for (file, contents) in zip(files, [base, new]) { try contents.write(to: file) }
        return try OutputDifference.find(base: files[0], new: files[1])
    }

    @Test(arguments: [
        ("", "", nil), ("a\nb\n", "a\nb\n", nil), ("a\nb\n", "a\nc\n", OutputDifference(line: 2)),
        ("a\nb\n", "a\n", OutputDifference(line: 2, shorter: .new)),
        ("a", "a\nb", OutputDifference(line: 1, shorter: .base)), ("", "x", OutputDifference(line: 1, shorter: .base)),
    ])
    func theFirstDifferentLineIsFound(base: String, new: String, expected: OutputDifference?) throws {
        #expect(try find(Data(base.utf8), Data(new.utf8)) == expected)
    }

    /// Files are read in parts.
    @Test func aDifferenceFarBehindIsFound() throws {
        let line = Data("0123456789\n".utf8)
        let base = Data((0..<30_000).flatMap { _ in line })
        for place in [0, 65_535, 65_536, 200_000] {
            var new = base
            new[place] ^= 1
            let lines = base[..<place].count { $0 == UInt8(ascii: "\n") }
            #expect(try find(base, new) == OutputDifference(line: lines + 1), "\(place)")
        }
        #expect(try find(base, base) == nil)
        #expect(try find(base, base.dropLast(70_000)) == OutputDifference(line: 23_637, shorter: .new))
    }
}

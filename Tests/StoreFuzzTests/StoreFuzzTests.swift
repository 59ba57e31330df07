import Foundation
import Processes
import TestSupport
import Testing

@testable import store_fuzz

/// What `make fuzz` does with ten thousand damaged files, with fifty.
@Suite(.disabled(if: Sanitizer.watchesAddresses, "cases run with limited memory, the sanitizer needs more"))
struct StoreFuzzTests {
    private func run(_ arguments: String...) throws -> (code: Int32, output: String) {
        let process = Process()
        process.executableURL = BuiltProgram.url("store-fuzz")
        process.arguments = arguments
        let output = Pipe()
        (process.standardOutput, process.standardError) = (output, output)
        try process.run()
        let text = output.readText()
        return (process.awaitEnd(), text)
    }

    /// To repeat a finding, see the command that is printed with it.
    @Test func damagedFilesAreUsedOrRefused() throws {
        let crashes = try TemporaryDirectory()
        let (code, output) = try run("--cases", "50", "--seed", "131", "--crashes", crashes.path)
        #expect(code == 0, "\(output)")
        #expect(output.contains("50 cases with the seed 131: ") && output.contains(" 0 findings"))
    }

    @Test(arguments: [
        (FuzzFault.trap, "as it was told"), (.hang, "hang in "), (.wait, "hang in "), (.memory, "1024 MiB of memory"),
    ])
    func whatACaseDoesWrongIsFoundAndKept(_ fault: FuzzFault, _ said: String) throws {
        let crashes = try TemporaryDirectory()
        let (code, output) = try run(
            "--cases", "1", "--seed", "1", "--crashes", crashes.path, "--fault", fault.rawValue)
        #expect(code == 1 && output.contains("1 findings") && output.contains(said), "\(output)")
        let kept = crashes.file("store-1-0")
        let names = try FileManager.default.contentsOfDirectory(atPath: kept.path)
        #expect(Set(["how.txt", "log.txt", ValidFile.name]).isSubset(of: names))
    }

    @Test func aCaseIsRepeatedByItsNumber() throws {
        let folders = [try TemporaryDirectory(), try TemporaryDirectory(), try TemporaryDirectory()]
        try ValidFile.makeAll(in: folders[0].url)
        for folder in folders.dropFirst() {
            _ = try run("--seed", "3", "--case", "5", "--valid", folders[0].path, "--keep", folder.path)
        }
        #expect(try StoreFiles.read(folders[1].url) == StoreFiles.read(folders[2].url))
        #expect(try !StoreFiles.read(folders[1].url).isEmpty)
    }

    @Test func aFileThatIsNoStoreIsRefused() throws {
        let folder = try TemporaryDirectory()
        try folder.write("no store", to: ValidFile.name)
        #expect(try run("--seed", "1", "--case", "1", "--files", folder.path).code == FuzzCase.Code.refused)
    }

    /// A frame with a wrong checksum would not be read, and its damage would try nothing.
    @Test func checksumsOfALogAreThoseOfSQLite() throws {
        let folder = try TemporaryDirectory()
        try ValidFile.makeAll(in: folder.url)
        let log = try Data(contentsOf: folder.file("log/\(ValidFile.name)-wal"))
        var renewed = log
        for position in 24..<32 { renewed[position] ^= 1 }
        for position in 48..<56 { renewed[position] ^= 1 }
        LogChecksum.renew(&renewed)
        #expect(renewed == log && log.count > 32)
    }

    @Test func aMistakeIsAnsweredWithTheUsage() throws {
        let (code, output) = try run("--cases", "many")
        #expect(code == 2 && output.contains("--cases many") && output.contains("usage: store-fuzz"))
    }
}

import Foundation
import TestSupport
import Testing

@testable import BenchHarness

/// Files that are none, or too much of one.
@Suite struct InputFileTests {
    private let folder: TemporaryDirectory
    private let valid = "scenario,driver,phase,repetition,status\ns,d,p,1,ok\n"

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func refusal(_ url: URL) -> String? {
        #expect(throws: RunError.self) { try RecordedRun(contentsOf: url) }?.description
    }

    @Test(arguments: [
        ("/dev/zero", "a device"), ("/dev/null", "a device"), ("/nowhere/a.csv", "no such file"),
        ("/etc/passwd/a.csv", "Not a directory"),
    ])
    func whatIsNoFileIsRefused(path: String, message: String) {
        #expect(
            refusal(URL(fileURLWithPath: path)) == "\(path): \(message); expected a CSV file that bench run wrote")
    }

    @Test func aFolderIsRefused() {
        #expect(
            refusal(folder.url)?.contains("a directory; expected the name of a CSV file that bench run wrote") == true)
    }

    @Test(.enabled(if: geteuid() != 0, "root may read everything"))
    func aFileWithoutPermissionIsRefused() throws {
        let url = try folder.write(valid, to: "secret.csv")
        chmod(url.path, 0)
        #expect(refusal(url)?.contains("no permission to read it") == true)
    }

    @Test func aPipeWithoutAWriterDoesNotHang() {
        let url = folder.file("fifo")
        mkfifo(url.path, 0o600)
        #expect(refusal(url)?.contains("an empty file") == true)
    }

    @Test func aPipeIsReadToItsEnd() throws {
        let pipe = Pipe()
        pipe.fileHandleForWriting.write(Data(valid.utf8))
        try pipe.fileHandleForWriting.close()
        let url = URL(fileURLWithPath: "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)")
        #expect(try RecordedRun(contentsOf: url).rows.map(\.driver) == ["d"])
    }

    @Test func aManifestWithoutEndIsRefused() throws {
        let url = try folder.write(valid, to: "a.csv")
        try FileManager.default.createSymbolicLink(
            at: folder.file("a.manifest.json"), withDestinationURL: URL(fileURLWithPath: "/dev/zero"))
        #expect(refusal(url)?.contains("a device; expected a manifest") == true)
    }

    @Test func aLineOfAHundredMegabytesIsRefusedAtTheLimit() throws {
        let url = try folder.write("scenario,\"", to: "long.csv")
        // A hole, which reads as zeros, behind a megabyte and more of text.
        let file = try FileHandle(forWritingTo: url)
        try file.seekToEnd()
        try file.write(contentsOf: Data(repeating: 0x61, count: ResultLimits.recordBytes + 1))
        try file.truncate(atOffset: 100_000_000)
        try file.close()
        let message = "a record of more than 1048576 bytes, perhaps because a closing quote is missing"
        #expect(refusal(url)?.contains(message) == true)
    }
}

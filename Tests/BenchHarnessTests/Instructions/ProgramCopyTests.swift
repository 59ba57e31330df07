import Foundation
import TestSupport
import Testing

@testable import BenchHarness
@testable import BenchInstructions

@Suite struct ProgramCopyTests {
    /// An ELF file of three sections, the last of which has their names.
    private static let program: Data = {
        func little(_ number: Int, _ bytes: Int) -> Data { Data((0..<bytes).map { UInt8(number >> (8 * $0) & 0xff) }) }
        func section(name: Int, offset: Int) -> Data {
            little(name, 4) + Data(count: 20) + little(offset, 8) + Data(count: 32)
        }
        let header = Data([0x7f, 0x45, 0x4c, 0x46, 2, 1]) + Data(count: 34) + little(64, 8) + Data(count: 10)
        let sizes = little(64, 2) + little(3, 2) + little(2, 2)
        let sections =
            section(name: 1, offset: 0) + section(name: 7, offset: 0) + section(name: 19, offset: 64 + 3 * 64)
        return header + sizes + sections + Data("\0.text\0.debug_info\0.shstrtab\0".utf8)
    }()

    @Test func aCopyHidesDebugInformationAndCanRun() throws {
        let folder = try TemporaryDirectory()
        let copy = folder.file("copy")
        try ProgramCopy.make(of: folder.write(Self.program, to: "program"), at: copy)
        let text = Data("\0.text\0.xebug_info\0.shstrtab\0".utf8)
        #expect(try Data(contentsOf: copy) == Self.program.prefix(256) + text)
        #expect(FileManager.default.isExecutableFile(atPath: copy.path))
    }

    @Test func theNamesOfSectionsAreFound() {
        #expect(ProgramCopy.debugNames(in: Self.program) == [256 + 7])
    }

    @Test func aProgramThatEndsTooEarlyIsCopiedAsItIs() {
        for size in 0..<256 { #expect(ProgramCopy.debugNames(in: Self.program.prefix(size)) == []) }
    }

    @Test func whatIsNoProgramIsCopiedAsItIs() throws {
        let folder = try TemporaryDirectory()
        let headerAlone = Data([0x7f, 0x45, 0x4c, 0x46, 2, 1]) + Data(repeating: 0xff, count: 60)
        for (name, contents) in [("script", Data("#!/bin/sh\n".utf8)), ("header", headerAlone), ("empty", Data())] {
            let original = try folder.write(contents, to: name)
            try ProgramCopy.make(of: original, at: folder.file("copy"))
            #expect(try Data(contentsOf: folder.file("copy")) == contents)
        }
    }
}

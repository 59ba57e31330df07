import Foundation
import Processes

/// Programs that a test writes and then starts.
public enum WrittenProgram {
    /// Writes a script of the shell, whose folder is created.
    public static func write(script: String, to file: URL) throws { try write("#!/bin/sh\n\(script)\n", to: file) }

    /// Writes a program, whose folder is created.
    ///
    /// Another process writes the file: the system refuses to start one that anyone has open for writing, and what this
    /// process has open, each process that another test is starting at this moment has too.
    public static func write(_ text: String, to file: URL) throws {
        let folder = try TemporaryDirectory()
        let draft = try folder.write(text, to: "draft")
        let install = try Process.run(
            URL(filePath: "/usr/bin/env"),
            arguments: ["install", "-D", "-m", "755"] + [draft, file].map { $0.path(percentEncoded: false) })
        guard install.awaitEnd() == 0 else { throw CocoaError(.fileWriteUnknown) }
    }
}

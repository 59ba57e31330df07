import BenchHarness
import Foundation

/// `bench describe`: writes a scenario whose records are like those of a store's file.
struct DescribeCommand: Subcommand {
    static let spec = CommandSpec(
        name: "describe", summary: "Write a scenario with records like those of a file.", operand: "FILE",
        operandCount: 1...1, operandCompletion: .file,
        options: [
            OptionSpec(
                name: "--entity", value: "E",
                help: "One entity or table, and what its records lead to; default: all."),
            OptionSpec(
                name: "--output", value: "FILE", completion: .file,
                help: "The scenario to write; default: standard output."),
            OptionSpec(name: "--force", help: "Replace an existing scenario."), CommandSpec.help,
        ],
        examples: [
            "bench describe inbox.sqlite",
            "bench describe inbox.sqlite --entity Message --output Scenarios/my-inbox.json",
        ])

    private let console: Console
    private let surveyor: any StoreSurveyor
    private let path: String
    private let entity: String?
    private let output: URL?

    init(_ invocation: Invocation) throws {
        console = invocation.console
        let parsed = invocation.parsed
        path = parsed.operands[0]
        entity = parsed.value("--entity")
        guard let surveyor = invocation.drivers.lazy.compactMap(\.surveyor).first else {
            throw UsageError("no driver of this program can describe a file")
        }
        self.surveyor = surveyor
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw UsageError("there is no file \(path)")
        }
        if isFolder.boolValue { throw UsageError("\(path) is a directory; expected the file of a store") }
        output = parsed.value("--output").map { URL(fileURLWithPath: $0) }
        guard let output else { return }
        if output.resolvingSymlinksInPath() == URL(fileURLWithPath: path).resolvingSymlinksInPath() {
            throw UsageError("the scenario would replace \(path), which it describes; choose another --output")
        }
        try OutputFile.check(output, replaces: parsed.has("--force"))
    }

    func run() throws -> ExitCode {
        let text = try scenario()
        guard let output else {
            console.out(text)
            return .success
        }
        try OutputFile.write(text, to: output)
        console.text("Wrote \(output.relativePath). Next:\n  bench validate \(output.relativePath)\n")
        return .success
    }

    private func scenario() throws -> String {
        let url = URL(fileURLWithPath: path)
        do {
            let survey = try surveyor.survey(url)
            return try DescribedScenario(
                named: name(url), of: survey, from: url.lastPathComponent, entity: entity
            ).text
        } catch {
            throw UsageError("\(path): \(error)")
        }
    }

    /// The name of the scenario: that of its own file, or of the one that is described.
    private func name(_ url: URL) -> String {
        let stem = (output ?? url).deletingPathExtension().lastPathComponent
        let letters = stem.unicodeScalars.map { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
                || "._-".unicodeScalars.contains(scalar) ? Character(scalar) : "-"
        }
        let name = String(letters.drop { !$0.isLetter && !$0.isNumber }.prefix(64))
        return name.isEmpty ? "described" : name
    }
}

@testable import BenchHarness
@testable import BenchInstructions

/// The versions of formats as the article "Versions of files" lists them.
enum VersionTable {
    /// A format: what has it, the place of its number, that number, and what this release reads.
    private struct Row {
        var format: String
        var place: String
        var version: Int?
        var isRead: String

        var line: String {
            "| \(format) | \(place) | \(version.map(String.init) ?? "none") | \(isRead) |"
        }
    }

    private static let rows = [
        Row(
            format: "scenario, `NAME.json`", place: "`version`", version: ScenarioReader.version,
            isRead: "this version alone"),
        Row(
            format: "results, `NAME.csv`", place: "nowhere", version: nil,
            isRead: "any header with " + ResultHeader.required.map { "`\($0)`" }.joined(separator: ", ")),
        Row(
            format: "manifest, `NAME.manifest.json`", place: "`version`", version: Manifest.version,
            isRead: "this version alone, with fewer or more keys"),
        Row(
            format: "noise, `\(NoiseRecord.fileName("NAME"))`", place: "`version`", version: NoiseRecord.version,
            isRead: "this version alone"),
        Row(
            format: "messages between the sides of `bench ab`", place: "the first message", version: TurnJob.version,
            isRead: "this version alone"),
        Row(
            format: "messages between the sides of `bench instructions`", place: "the first message",
            version: InstructionJob.version, isRead: "this version alone"),
        Row(
            format: "messages between the shards of a load", place: "`version` of the first message",
            version: ShardArrival.version, isRead: "this version alone"),
    ]

    static var markdown: String {
        (["| format | place of its version | version | what this release reads |", "| --- | --- | --- | --- |"]
            + rows.map(\.line)).joined(separator: "\n")
    }
}

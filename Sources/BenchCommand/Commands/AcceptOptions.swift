import BenchHarness
import Foundation

/// The options of `bench ab`, `bench compare`, `bench instructions` and `bench report` for slowdowns that are known and
/// accepted.
enum AcceptOptions {
    static let specs = [
        OptionSpec(
            name: "--accept", value: "TEXT", isRepeatable: true,
            help:
                "Accept a slowdown: \"PHASE [of DRIVER] PERCENT% because REASON\"; repeatable."),
        OptionSpec(
            name: "--accept-file", value: "FILE", completion: .file,
            help:
                "Accept the slowdowns in lines \"Accept-slowdown: ...\" of commit messages, the output of git log -z --format=%H%n%B BASE..HEAD."
        ),
    ]

    /// Reads what is accepted.
    static func read(_ parsed: ParsedArguments) throws -> AcceptedSlowdowns {
        var accepted = AcceptedSlowdowns()
        for text in parsed.all("--accept") {
            do {
                try accepted.add(text)
            } catch {
                throw UsageError("--accept \(error.description)")
            }
        }
        if let path = parsed.value("--accept-file") { try accepted.add(messagesIn: URL(fileURLWithPath: path)) }
        return accepted
    }
}

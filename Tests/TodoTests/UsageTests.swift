import Foundation
import TestSupport
import Testing

@Suite struct UsageTests {
    private static let commands = ["add", "list", "toggle", "delete", "check-all", "populate", "sync", "watch"]

    @Test func helpNamesEveryCommand() throws {
        let todo = try TodoBinary()
        for option in ["--help", "-h"] {
            let outcome = try todo.run(option)
            #expect(outcome.code == 0 && outcome.errors.isEmpty)
            for command in Self.commands { #expect(outcome.output.contains("\n  \(command) ")) }
        }
        #expect(try todo.folder.names().isEmpty)
    }

    @Test(arguments: commands) func everyCommandHasHelp(command: String) throws {
        let todo = try TodoBinary()
        let outcome = try todo.run(command, "--nonsense", "--help")
        #expect(outcome.code == 0)
        #expect(outcome.output.contains("usage: todo \(command)") && outcome.output.contains("--store FILE"))
        #expect(try todo.folder.names().isEmpty)
    }

    @Test(arguments: [
        (["ad", "x"], "there is no command \"ad\"; did you mean add?"), (["frobnicate"], "see todo --help"),
        ([], "a command is"),
        (["list", "--don"], "did you mean --done?"), (["--stor", "x"], "did you mean --store?"),
        (["list", "--store"], "--store needs a value"), (["list", "x"], "one argument too many"),
        (["list", "--done", "--open"], "exclude each other"), (["list", "--toggle", "1"], "goes with --async"),
        (["add"], "needs TEXT..."), (["add", " "], "an item needs a text"), (["add", "-x"], "put -- before"),
        (["toggle"], "needs N..."), (["toggle", "one"], "is not an item's number"),
        (["delete", "0"], "is not an item's number"),
        (["delete", "99999999999999999999"], "is not an item's number"), (["check-all", "1"], "one argument too many"),
        (["populate"], "needs COUNT"), (["populate", "-5"], "no option"), (["populate", "1e6"], "is not a count"),
        (["sync"], "needs FILE.json"), (["sync", "a", "b"], "one argument too many"),
        (["watch", "--seconds", "nan"], "is not a number of seconds"),
    ])
    func mistakeIsAnsweredWithOneLineAndNothingIsMade(arguments: [String], message: String) throws {
        let todo = try TodoBinary()
        let outcome = try todo.run(arguments)
        #expect(outcome.code == 2)
        #expect(outcome.errors.hasPrefix("todo: error: ") && outcome.errors.contains(message), "\(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").count == 1)
        #expect(outcome.output.isEmpty)
        #expect(try todo.folder.names().isEmpty)
    }
}

import BenchHarness
import Foundation
import Processes
import TestSupport
import Testing

@testable import BenchCommand

@Suite(.ownThreads) struct CommandTableTests {
    @Test func helpNamesEveryOption() {
        for spec in CommandSpec.visible {
            let text = HelpText(width: nil).text(for: spec)
            for name in spec.options.flatMap(\.names) { #expect(text.contains(name)) }
            #expect(HelpText(width: nil).overview.contains(spec.name))
            #expect(!spec.examples.isEmpty)
        }
    }

    @Test(arguments: Completions.shells) func completionsKnowEveryOptionAndDriver(shell: String) throws {
        let script = try Completions.script(for: shell, ["managed", "sqlite"])
        #expect(script.contains("managed"))
        for option in RunCommand.spec.options { #expect(script.contains(option.name.dropFirst(2))) }
        #expect(script.contains(shell == "fish" ? " -s o -l output" : "-o --output"))
        #expect(!script.contains(WorkerCommand.spec.name))
    }

    @Test func bashCompletesOperandsAndTheValuesOfOptions() throws {
        let script =
            try Completions.script(for: "bash", ["managed", "sqlite"]) + """

                complete_after() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _bench; echo "${COMPREPLY[@]}"; }
                complete_after bench compare --format j
                complete_after bench ab --base-driver m
                complete_after bench compare --metric queue
                complete_after bench power --threshold rss_peak=
                complete_after bench run smo
                complete_after bench validate sch
                complete_after bench completions f
                """
        let bash = Process()
        bash.executableURL = URL(fileURLWithPath: "/bin/bash")
        bash.arguments = ["-c", script]
        let directory = try TemporaryDirectory()
        let scenarios = directory.file(ScenarioLocator.folder)
        try FileManager.default.createDirectory(at: scenarios, withIntermediateDirectories: false)
        for name in ["smoke.json", "smoother.json", "schema.json", "smart.txt"] {
            try Data().write(to: scenarios.appendingPathComponent(name))
        }
        bash.currentDirectoryURL = directory.url
        let output = Pipe()
        bash.standardOutput = output
        try bash.run()
        let text = output.readText()
        _ = bash.awaitEnd()
        withExtendedLifetime(directory) {}
        #expect(text == "json junit\nmanaged\nqueue_stall\nrss_peak=\nsmoke smoother\n\nfish\n")
    }

    @Test func fishCompletesScenariosAndTheBeginningsOfThresholds() throws {
        let script = try Completions.script(for: "fish", [])
        #expect(script.contains("-l threshold -xa 'duration= "))
        #expect(
            script.contains(
                #"seen_subcommand_from run' -a "(ls Scenarios 2>/dev/null | sed -n '/^schema.json\$/!s/[.]json\$//p')""#
            ))
    }

    @Test func forecastSupposesThatTheRestGoesLikeWhatIsDone() {
        var forecast = RunForecast(start: 0)
        #expect(forecast.text(at: 31_000_000_000) == "0:31 elapsed")
        forecast.advance(to: 0.2)
        #expect(forecast.text(at: 31_000_000_000) == "0:31 elapsed, about 2:04 left")
    }
}

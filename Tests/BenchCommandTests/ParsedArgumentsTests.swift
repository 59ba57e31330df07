import Testing

@testable import BenchCommand

@Suite struct ParsedArgumentsTests {
    private func parse(_ arguments: String...) throws -> ParsedArguments {
        try ParsedArguments(arguments, spec: RunCommand.spec)
    }

    @Test func optionsStandBeforeAndAfterOperands() throws {
        let parsed = try parse("--quiet", "million", "--driver", "a", "--driver=b", "--scale", "0.5")
        #expect(parsed.operands == ["million"])
        #expect(parsed.all("--driver") == ["a", "b"])
        #expect(parsed.value("--scale") == "0.5")
        #expect(parsed.has("--quiet") && !parsed.has("--force"))
    }

    @Test func afterTwoDashesAllAreOperands() throws {
        #expect(try parse("--", "--force").operands == ["--force"])
    }

    @Test func helpNeedsNoOperand() throws {
        #expect(try parse("-h").has("--help"))
    }

    @Test func shortNamesAreTheLongOnes() throws {
        for arguments in [["x.csv", "-o", "p.html"], ["-o=p.html", "x.csv"], ["--output", "p.html", "x.csv"]] {
            let parsed = try ParsedArguments(arguments, spec: ReportCommand.spec)
            #expect(parsed.value("--output") == "p.html")
            #expect(parsed.operands == ["x.csv"])
        }
        let error = #expect(throws: UsageError.self) {
            try ParsedArguments(["-o", "a", "--output", "b"], spec: ReportCommand.spec)
        }
        #expect(error?.description == "--output is given twice; give it once")
    }

    @Test(arguments: [
        (["--repetition", "3", "x"], "unknown option \"--repetition\"; did you mean \"--repetitions\"?"),
        (["x", "--scale"], "--scale needs a value: --scale F"),
        (["x", "--quiet=1"], "--quiet takes no value; write --quiet alone"),
        (["x", "--scale", "1", "--scale", "2"], "--scale is given twice; give it once"),
        (["x", "y"], "unexpected argument \"y\"; see bench run --help"),
        ([], "bench run needs SCENARIO; see bench run --help"),
    ])
    func mistakesAreNamed(arguments: [String], message: String) {
        let error = #expect(throws: UsageError.self) { try ParsedArguments(arguments, spec: RunCommand.spec) }
        #expect(error?.description == message)
    }
}

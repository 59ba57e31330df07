import BenchHarness
import Foundation

extension BenchCommand {
    var reader: ScenarioReader { ScenarioReader(drivers: drivers.map(\.name)) }

    /// Shows the scenarios and the drivers. A scenario that cannot be read is listed with the reason.
    func list() -> ExitCode {
        console.out("scenarios:\n")
        let urls = (try? ScenarioLocator().list()) ?? []
        if urls.isEmpty { console.out("  none in \(ScenarioLocator.folder)/ of the working directory\n") }
        for url in urls { console.out(line(for: url)) }
        console.out("\ndrivers:\n")
        for driver in drivers { console.out("  \(driver.name): \(driver.summary)\n") }
        return .success
    }

    /// Checks files and says of each whether it is valid.
    func validate(_ files: [String]) -> ExitCode {
        var code = ExitCode.success
        for file in files {
            do throws(ScenarioError) {
                let url = try ScenarioLocator().locate(file)
                _ = try reader.read(contentsOf: url)
                console.out("\(url.relativePath): valid\n")
            } catch {
                console.error(error.description)
                code = .usage
            }
        }
        return code
    }

    private func line(for url: URL) -> String {
        do throws(ScenarioError) {
            let scenario = try reader.read(contentsOf: url)
            return """
                  \(scenario.name): \(scenario.records) records, \(scenario.repetitions) repetitions
                    \(scenario.summary)
                    phases: \(scenario.phases.map(\.name).joined(separator: ", "))

                """
        } catch {
            return "  \(error.description)\n"
        }
    }
}

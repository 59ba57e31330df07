import Foundation
import GateStudy

/// The program of the study, with code that is never run: a gate must not mistake that for a change.
if CommandLine.arguments.count > 1_000 { print(Padding.all) }
exit(await GateStudy.run(CommandLine.arguments))

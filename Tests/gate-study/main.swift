import Foundation
import GateStudy

/// `make gate-study` measures how often `bench ab` is right.
exit(await GateStudy.run(CommandLine.arguments))

import Foundation
import TestSupport

/// One case, in a process of its own: damages a valid file and uses it.
struct FuzzCase {
    let options: FuzzOptions
    let number: Int

    /// The process time that a case may take, in seconds; one that is not done then hangs.
    static let seconds = 10
    /// The same of the clock, on a machine that does other things meanwhile; for one that waits for what never comes.
    static let secondsOfClock: UInt32 = 60
    /// The memory that a case may take, in bytes.
    static let memory = 1 << 30

    /// The exit codes by which a case tells what came of it.
    enum Code {
        static let used: Int32 = 0
        static let refused: Int32 = 10
        static let wrong: Int32 = 11
        /// The case itself could not be made.
        static let failed: Int32 = 12
    }

    /// Does the case, and hands over the exit code.
    func run() throws -> Int32 {
        Self.setLimits()
        let temporary = try TemporaryDirectory()
        let folder = options.folder.map { URL(fileURLWithPath: $0, isDirectory: true) } ?? temporary.url
        var random = SeededGenerator(seed: options.seed &* 0x9E37_79B9 &+ UInt64(number))
        let (damage, use) = (SeededGenerator(seed: random.next()), SeededGenerator(seed: random.next()))
        if let files = options.files {
            try StoreFiles.write(try StoreFiles.read(URL(fileURLWithPath: files, isDirectory: true)), to: folder)
        } else {
            try damageFile(in: folder, temporary, random.pick(ValidFile.allCases), damage)
        }
        if let keep = options.keep {
            try StoreFiles.write(try StoreFiles.read(folder), to: URL(fileURLWithPath: keep, isDirectory: true))
        }
        options.fault?.commit()
        return code(try StoreUse(folder, use).run())
    }

    private func code(_ outcome: StoreUse.Outcome) -> Int32 {
        switch outcome {
        case .used: return Code.used
        case .refused: return Code.refused
        case .wrong(let finding):
            Stage.write("Wrong: \(finding)\n")
            return Code.wrong
        }
    }

    private func damageFile(
        in folder: URL, _ temporary: TemporaryDirectory, _ file: ValidFile, _ random: SeededGenerator
    ) throws {
        var valid = temporary.file("valid")
        if let made = options.valid {
            valid = URL(fileURLWithPath: made, isDirectory: true)
        } else {
            try ValidFile.makeAll(in: valid)
        }
        Stage.enter("damage a \(file.rawValue) file")
        try StoreFiles.write(try StoreFiles.read(valid.appendingPathComponent(file.rawValue)), to: folder)
        var damage = Damage(random)
        try damage.perform(in: folder)
    }

    private static func setLimits() {
        // The parent process may have blocked them, and a child inherits that.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGALRM)
        sigaddset(&signals, SIGXCPU)
        sigprocmask(SIG_UNBLOCK, &signals, nil)
        limitTime(seconds)
        limit(RLIMIT_CORE, 0)
        // Far beyond what is a finding, so that the machine survives it.
        limit(RLIMIT_AS, 4 * memory)
        alarm(secondsOfClock)
    }

    fileprivate static func limitTime(_ seconds: Int) { limit(RLIMIT_CPU, seconds) }

    #if os(Linux)
        private static func limit(_ resource: __rlimit_resource, _ value: Int) {
            var limit = rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(value))
            setrlimit(__rlimit_resource_t(resource.rawValue), &limit)
        }
    #else
        private static func limit(_ resource: Int32, _ value: Int) {
            var limit = rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(value))
            setrlimit(resource, &limit)
        }
    #endif
}

/// What a case does wrong on demand.
enum FuzzFault: String {
    case trap
    case hang
    case wait
    case memory

    func commit() {
        switch self {
        case .trap: fatalError("as it was told")
        case .hang:
            FuzzCase.limitTime(1)
            while getpid() > 0 {}
        case .wait:
            alarm(1)
            while true { sleep(1) }
        case .memory:
            let bytes = [UInt8](repeating: 1, count: FuzzCase.memory + FuzzCase.memory / 8)
            Stage.note("\(bytes.count) bytes")
        }
    }
}

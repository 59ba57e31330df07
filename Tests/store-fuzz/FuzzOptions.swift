import Foundation

/// What was typed.
struct FuzzOptions {
    struct Mistake: Error {
        let message: String
    }

    /// Decides all that is done, together with a case's number.
    var seed: UInt64 = 1
    /// How many cases there are.
    var cases = 10_000
    /// Processes at once.
    var jobs = ProcessInfo.processInfo.activeProcessorCount
    /// Where findings are kept.
    var crashes = ".build/fuzz/crashes"
    /// The only case, done by this process itself.
    var number: Int?
    /// The folder of the valid files; they are made in one of its own if there is none.
    var valid: String?
    /// The folder in which the case works; one of its own if there is none.
    var folder: String?
    /// The folder of files that are damaged already.
    var files: String?
    /// Where the damaged files are copied before they are used.
    var keep: String?
    /// Something that a case is to do wrong, so that tests see it found.
    var fault: FuzzFault?

    static let usage = """
        usage: store-fuzz [--cases N] [--seed S] [--jobs J] [--crashes FOLDER]
               store-fuzz --seed S --case NUMBER [--files FOLDER]
        """

    init(_ arguments: [String]) throws(Mistake) {
        var rest = arguments.dropFirst()
        while let name = rest.popFirst() {
            guard let value = rest.popFirst() else { throw Mistake(message: "\(name) needs a value") }
            switch name {
            case "--seed": seed = UInt64(try Self.number(value, name))
            case "--cases": cases = try Self.number(value, name)
            case "--jobs": jobs = max(1, try Self.number(value, name))
            case "--case": number = try Self.number(value, name)
            case "--crashes": crashes = value
            case "--valid": valid = value
            case "--folder": folder = value
            case "--files": files = value
            case "--keep": keep = value
            case "--fault":
                guard let known = FuzzFault(rawValue: value) else {
                    throw Mistake(message: "no fault is called \(value)")
                }
                fault = known
            default: throw Mistake(message: "\(name) is no option")
            }
        }
    }

    private static func number(_ text: String, _ name: String) throws(Mistake) -> Int {
        guard let number = Int(text), number >= 0 else {
            throw Mistake(message: "\(name) \(text): expected a number from 0 on")
        }
        return number
    }
}

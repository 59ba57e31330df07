import BenchHarness
import Foundation

/// The instructions of each function, as callgrind wrote them to a file.
///
/// The format is that of the appendix "Callgrind Format Specification" of valgrind's manual. Positions within a file
/// are of no interest here.
struct CallgrindProfile: Equatable {
    /// The reason for which the file was written, as the program gave it; empty if it gave none.
    private(set) var title = ""
    /// The instructions in each function itself, without those of the functions that it calls, by its symbol.
    private(set) var functions: [String: Int] = [:]
    /// The instructions in each function of the program's own modules, with those of what it uses beside them: see
    /// ``CallerShares``.
    private(set) var ownFunctions: [String: Int] = [:]
    /// The instructions in each part of the program: see ``CodePart``.
    private(set) var parts: [String: Int] = [:]

    /// The instructions in all.
    var total: Int { functions.values.reduce(0, +) }

    /// Reads a file's contents; `place` names the file in errors.
    init(_ contents: Data, place: String) throws(RunError) {
        var reader = CallgrindReader(place: place)
        for line in contents.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            try reader.read(String(decoding: line, as: UTF8.self)[...])
        }
        (title, functions, ownFunctions, parts) = try reader.result()
    }
}

/// Reads a profile line by line.
private struct CallgrindReader {
    private static let titlePrefix = "Trigger: Client Request: "

    private let place: String
    private var lineNumber = 0
    private var title = ""
    private var costs: [Function: Int] = [:]
    private var positions = 1
    /// The place of the instructions among the costs of a line.
    private var event: Int?
    private var total: Int?
    /// The names that stand for numbers: those of functions and those of files of machine code.
    private var names: [String: String] = [:]
    private var objects: [String: String] = [:]
    private var object = ""
    private var function = ""
    private var calls: [CallerShares<Function>.Call: Int] = [:]
    private var callee = ""
    /// The file of machine code of the next function that is called; nil is that of the caller.
    private var calleeObject: String?
    /// What the next line has the cost of, if not of the function itself.
    private var pending: Pending?

    private enum Pending {
        case call
        case jump
    }

    private struct Function: Hashable {
        let name: String
        /// The file of machine code that it lies in.
        let object: String

        /// The name. A function without one is only known by its file, whose folder differs from machine to machine,
        /// and its address differs from build to build.
        var symbol: String {
            guard name.hasPrefix("0x") || name == "???" else { return name }
            return "a function without a name in \(object.split(separator: "/").last ?? "no file")"
        }
    }

    init(place: String) { self.place = place }

    mutating func read(_ line: Substring) throws(RunError) {
        lineNumber += 1
        guard let first = line.utf8.first else { return }
        switch first {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "*"):
            try readCost(line)
        case UInt8(ascii: "#"): break
        default: try readDefinition(line)
        }
    }

    func result() throws(RunError) -> (
        title: String, functions: [String: Int], ownFunctions: [String: Int], parts: [String: Int]
    ) {
        guard event != nil else { throw failure("counts no instructions (\"Ir\")") }
        let sum = costs.values.reduce(0, +)
        guard let total else { throw failure("ends before its totals") }
        guard total == sum else { throw failure("its functions have \(sum) instructions, not \(total)") }
        let modules = CodePart.modules(of: costs.keys.lazy.map(\.name))
        let part = { (function: Function) in CodePart.name(of: function.name, in: function.object, modules) }
        let shares = CallerShares(costs, calls) { CodePart.isOwn(part($0), in: $0.object) }
        return (
            title, Self.summed(costs, by: \.symbol), Self.summed(shares.costs, by: \.symbol),
            Self.summed(costs, by: part)
        )
    }

    private func failure(_ what: String, atLine: Bool = false) -> RunError {
        let line = atLine ? ":\(lineNumber)" : ""
        return RunError(
            .process,
            "\(place)\(line): \(what); the profile is damaged, or of another version of valgrind: count again")
    }

    private static func summed(_ costs: [Function: Int], by name: (Function) -> String) -> [String: Int] {
        Dictionary(costs.map { (name($0.key), $0.value) }, uniquingKeysWith: +)
    }

    private mutating func readDefinition(_ line: Substring) throws(RunError) {
        if let (key, value) = parts(of: line, at: ":"), readHeader(key, value) { return }
        guard let (key, value) = parts(of: line, at: "=") else { return }
        switch key {
        case "fn": function = try name(value, &names)
        case "cfn": callee = try name(value, &names)
        case "ob": object = try name(value, &objects)
        case "cob": calleeObject = try name(value, &objects)
        case "calls": pending = .call
        case "jump", "jcnd": pending = .jump
        default: break
        }
    }

    /// Returns whether `key` is that of a header, or of the totals.
    private mutating func readHeader(_ key: Substring, _ value: Substring) -> Bool {
        switch key {
        case "desc" where value.hasPrefix(Self.titlePrefix): title = String(value.dropFirst(Self.titlePrefix.count))
        case "positions": positions = value.split(separator: " ").count
        case "events": event = value.split(separator: " ").firstIndex(of: "Ir")
        case "totals":
            let costs = value.split(separator: " ")
            total = event.flatMap { costs.indices.contains($0) ? Int(costs[$0]) : 0 }
        case "desc", "version", "creator", "pid", "cmd", "part", "summary": break
        default: return false
        }
        return true
    }

    /// Returns what is left and right of the first `separator`, without the space after it.
    private func parts(of line: Substring, at separator: Character) -> (Substring, Substring)? {
        guard let index = line.firstIndex(of: separator) else { return nil }
        let value = line[line.index(after: index)...]
        return (line[..<index], value.hasPrefix(" ") ? value.dropFirst() : value)
    }

    /// Returns the name of `(1) name`, which `(1)` alone stands for from then on, or of `name` without a number.
    private func name(_ text: Substring, _ known: inout [String: String]) throws(RunError) -> String {
        guard text.hasPrefix("("), let end = text.firstIndex(of: ")") else { return String(text) }
        let number = String(text[...end])
        let name = text[text.index(after: end)...].drop { $0 == " " }
        if !name.isEmpty { known[number] = String(name) }
        guard let name = known[number] else {
            throw failure("the number \(number) stands for no name", atLine: true)
        }
        return name
    }

    private mutating func readCost(_ line: Substring) throws(RunError) {
        defer { pending = nil }
        if pending == .jump { return }
        guard let event else { throw failure("a cost before the names of events", atLine: true) }
        let fields = line.split(separator: " ")
        let index = positions + event
        // Zeros at the end of a line are left out.
        guard fields.indices.contains(index) else { return }
        guard let cost = Int(fields[index]) else {
            throw failure("\"\(fields[index])\" in place of a number", atLine: true)
        }
        let own = Function(name: function, object: object)
        guard pending == .call else {
            costs[own, default: 0] += cost
            return
        }
        let called = Function(name: callee, object: calleeObject ?? object)
        calls[CallerShares.Call(caller: own, callee: called), default: 0] += cost
        calleeObject = nil
    }
}

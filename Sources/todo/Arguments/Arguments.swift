import Foundation

/// The arguments of one subcommand, sorted into options and operands.
struct Arguments: Sendable {
    private let usage: Usage
    private var values: [String: [String]] = [:]
    private var operands: [String] = []

    /// Everything after `--` is an operand.
    init(_ words: [String], for usage: Usage) throws {
        self.usage = usage
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                operands += rest
                break
            }
            guard word.hasPrefix("-"), word != "-" else {
                operands.append(word)
                continue
            }
            guard let option = usage.allOptions.first(where: { $0.name == word }) else {
                let known = usage.allOptions.map(\.name)
                throw UsageError(
                    unknown: "option", word, known: known,
                    help: "todo \(usage.name) --help, or put -- before text that begins with a dash")
            }
            values[word, default: []].append(option.value == nil ? "" : try Self.value(of: option, &rest))
        }
    }

    private static func value(of option: Usage.Option, _ rest: inout ArraySlice<String>) throws -> String {
        guard let value = rest.popFirst(), !value.isEmpty else {
            throw UsageError("\(option.name) needs a value: \(option.synopsis)")
        }
        return value
    }

    func has(_ option: String) -> Bool { values[option] != nil }

    /// Returns the values of a repeatable option.
    func all(_ option: String) -> [String] { values[option] ?? [] }

    /// Returns the last value of an option.
    func last(_ option: String) -> String? { values[option]?.last }

    func requireNoOperands() throws {
        if let word = operands.first { throw UsageError("\"\(word)\" is one argument too many: \(usage.synopsis)") }
    }

    func requireOperands() throws -> [String] {
        if operands.isEmpty { throw UsageError("todo \(usage.name) needs \(usage.operands): \(usage.synopsis)") }
        return operands
    }

    func requireOneOperand() throws -> String {
        let all = try requireOperands()
        if all.count > 1 { throw UsageError("\"\(all[1])\" is one argument too many: \(usage.synopsis)") }
        return all[0]
    }

    /// The list's file: the one requested, or the default place for program data in the XDG base directory
    /// specification, which ignores a relative `XDG_DATA_HOME`.
    var storeFile: URL {
        let environment = ProcessInfo.processInfo.environment.filter { !$0.value.isEmpty }
        if let path = last("--store") ?? environment["TODO_STORE"] { return URL(filePath: path) }
        let home = environment["HOME"].map { URL(filePath: $0) } ?? FileManager.default.homeDirectoryForCurrentUser
        let xdg = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? URL(filePath: $0) : nil }
        return (xdg ?? home.appending(path: ".local/share")).appending(path: "todo/todo.sqlite")
    }
}

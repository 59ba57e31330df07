/// A number of a scenario that the command line replaces or adds: `store.cache_size_kib=2000`, or several with commas
/// between them, which make a sweep.
public struct ScenarioSetting: Sendable {
    /// The text as it was given.
    public let text: String
    /// The keys from the top of the scenario to the number, with points between them. Phases and attributes are named.
    let path: String
    private let numbers: [JSONNumber]

    /// Parses `PATH=NUMBER[,NUMBER...]`.
    public init(_ text: String) throws(ScenarioError) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[0].isEmpty else {
            throw Self.error(
                text, "no number", expected: "PATH=NUMBER[,NUMBER...], such as store.cache_size_kib=2000,8000")
        }
        guard parts[0].count(where: { $0 == "." }) < JSONReader.depthMax else {
            throw Self.error(text, "a path of too many keys", expected: "at most \(JSONReader.depthMax)")
        }
        var numbers: [JSONNumber] = []
        for word in parts[1].split(separator: ",", omittingEmptySubsequences: false) {
            guard let node = try? JSONReader.read(Array(word.utf8)), case .number(let number) = node.value else {
                throw Self.error(text, String(word).quoted, expected: "a number, or several with commas between them")
            }
            numbers.append(number)
        }
        (self.text, path, self.numbers) = (text, parts[0], numbers)
    }

    /// Returns the scenario with the number in it.
    ///
    /// - Parameter offset: The place of the number in errors.
    func applied(to root: JSONNode, at offset: Int) throws(ScenarioError) -> JSONNode {
        let nodes = numbers.map { JSONNode(value: .number($0), offset: offset) }
        let value = nodes.count == 1 ? nodes[0] : JSONNode(value: .array(nodes), offset: offset)
        guard root.child(on: path[...]) != nil || isPath(ObjectShape.scenario.keys) else {
            throw unknown(path, among: ObjectShape.scenario.keys, suggestion: nearestPath(in: root))
        }
        return try set(value, path[...], in: root)
    }

    fileprivate var isRepeated: ScenarioError {
        Self.error(text, "\(path.quoted) a second time", expected: "each number once; commas separate several")
    }

    private func isPath(_ keys: [String]) -> Bool { keys.contains { path == $0 || path.hasPrefix($0 + ".") } }

    private func set(
        _ value: JSONNode, _ path: Substring, in node: JSONNode
    ) throws(ScenarioError) -> JSONNode {
        if let (index, rest) = node.child(on: path) {
            let child = node.children[index].node
            return node.with(rest.isEmpty ? value : try set(value, rest, in: child), at: index)
        }
        switch node.value {
        case .object(let members):
            let key = path.prefix { $0 != "." }
            let rest = path.dropFirst(key.count + 1)
            let empty = JSONNode(value: .object([]), offset: value.offset)
            let new = JSONMember(
                key: String(key), keyOffset: value.offset, value: rest.isEmpty ? value : try set(value, rest, in: empty)
            )
            return JSONNode(value: .object(members + [new]), offset: node.offset)
        case .array:
            throw unknown(String(path.prefix { $0 != "." }), among: node.children.map(\.step.name))
        case .null, .bool, .number, .string:
            throw Self.error(
                text, "\(String(path).quoted) after \(node.inWords)", expected: "a path that ends at a number")
        }
    }

    private func unknown(_ name: String, among names: [String], suggestion: String? = nil) -> ScenarioError {
        var error = Self.error(text, "unknown \(name.quoted)", expected: names.asChoice)
        error.suggestion = suggestion ?? NearestName.among(names, to: name)
        return error
    }

    /// Returns the path to a number of the scenario whose key is nearest to this path's; nil if none is near.
    private func nearestPath(in root: JSONNode) -> String? {
        let paths = root.numberPaths
        let key = path.split(separator: ".").last.map(String.init) ?? path
        let nearest = NearestName.among(paths.compactMap(\.last), to: key)
        let path = paths.first { $0.last == nearest }?.joined(separator: ".")
        return path ?? NearestName.among(ObjectShape.scenario.keys, to: String(self.path.prefix { $0 != "." }))
    }

    private static func error(_ text: String, _ found: String, expected: String) -> ScenarioError {
        ScenarioError(file: place(text), found: found, expected: expected)
    }

    /// The place of errors about a setting.
    static func place(_ text: String) -> String { "--set \(text.abridged.printable)" }
}

extension [ScenarioSetting] {
    /// Returns the scenario with all numbers in it.
    func applied(to node: JSONNode, _ source: JSONSource) throws(ScenarioErrors) -> JSONNode {
        var root = node
        var errors: [ScenarioError] = []
        for (index, setting) in enumerated() {
            do throws(ScenarioError) {
                if self[..<index].contains(where: { $0.path == setting.path }) { throw setting.isRepeated }
                root = try setting.applied(to: root, at: source.offset(ofSetting: index))
            } catch {
                errors.append(error)
            }
        }
        guard errors.isEmpty else { throw ScenarioErrors(errors) }
        return root
    }
}

extension JSONNode {
    /// Returns the child that a path begins with, the longest name if there are several, and the rest of the path.
    fileprivate func child(on path: Substring) -> (index: Int, rest: Substring)? {
        let fitting = children.filter { path == $0.step.name || path.hasPrefix($0.step.name + ".") }
        return fitting.max { $0.step.name.count < $1.step.name.count }.map {
            ($0.step.index, path.dropFirst($0.step.name.count + 1))
        }
    }

    /// Returns the value with one of its children replaced.
    fileprivate func with(_ child: JSONNode, at index: Int) -> JSONNode {
        switch value {
        case .object(var members):
            members[index] = JSONMember(key: members[index].key, keyOffset: members[index].keyOffset, value: child)
            return JSONNode(value: .object(members), offset: offset)
        case .array(var elements):
            elements[index] = child
            return JSONNode(value: .array(elements), offset: offset)
        case .null, .bool, .number, .string: return self
        }
    }

    private var isNumber: Bool {
        if case .number = value { true } else { false }
    }

    /// The paths to all numbers in the value, and to all lists of numbers.
    fileprivate var numberPaths: [[String]] {
        if isNumber { return [[]] }
        if case .array(let elements) = value, elements.contains(where: \.isNumber) { return [[]] }
        return children.flatMap { child in child.node.numberPaths.map { [child.step.name] + $0 } }
    }
}

import Foundation

/// Finds the scenario for a path or a name.
///
/// It tries a path exactly, then ignoring case (the documentation of the command has `scenarios/million.json`, and the
/// folder is `Scenarios`), then as a bare name in the `Scenarios` folder of the working directory, and last as one in
/// the folder of scenarios that came with the program.
public struct ScenarioLocator: Sendable {
    /// The folder of scenarios that bare names refer to.
    public static let folder = "Scenarios"

    private let workingDirectory: URL
    /// The folder of scenarios that came with the program; nil if there is none.
    public let shipped: URL?

    /// Creates a locator for paths relative to `workingDirectory`, by default the process's own, and for names of
    /// scenarios that came with `program`.
    public init(workingDirectory: URL? = nil, program: URL? = nil) {
        let path = workingDirectory?.path ?? FileManager.default.currentDirectoryPath
        self.workingDirectory = URL(fileURLWithPath: path, isDirectory: true)
        shipped = program.flatMap(Self.shipped)
    }

    /// Returns the folder of scenarios beside a program, in `share/bench` of its prefix, or in the package that it was
    /// built in. The schema tells it from another folder of that name.
    private static func shipped(with program: URL) -> URL? {
        var folder = program.deletingLastPathComponent()
        // .build, the platform and the configuration lie between a package and its programs; `Peers` is one level more.
        for _ in 0..<6 {
            for place in [Self.folder, "share/bench/\(Self.folder)"] {
                let candidate = folder.appendingPathComponent(place, isDirectory: true)
                let schema = candidate.appendingPathComponent("schema.json")
                if FileManager.default.fileExists(atPath: schema.path) { return candidate }
            }
            folder = folder.deletingLastPathComponent()
        }
        return nil
    }

    /// Returns the file that `argument` names. Messages should use its relative path.
    public func locate(_ argument: String) throws(ScenarioError) -> URL {
        guard !argument.isEmpty else {
            throw ScenarioError(file: "\"\"", found: "an empty path", expected: "a scenario")
        }
        var candidates = [argument]
        if !argument.contains("/") {
            let folders = [Self.folder, shipped?.path].compactMap(\.self)
            candidates += folders.flatMap { ["\($0)/\(argument)", "\($0)/\(argument).json"] }
        }
        let found = candidates.compactMap(existing)
        // A folder with the name of a scenario does not hide it.
        if let file = found.first(where: { !isDirectory($0) }) { return file }
        if let directory = found.first {
            throw ScenarioError(file: directory.relativePath, found: "a directory", expected: "a scenario file")
        }
        throw ScenarioError(
            file: argument, found: "no such scenario",
            expected: "a path, or a name in \(Self.folder)/" + (shipped == nil ? "" : " or of bench list"),
            suggestion: nearest(to: argument))
    }

    /// Returns the scenarios in a folder, by name, without the schema.
    public func list(in folder: String = ScenarioLocator.folder) throws(ScenarioError) -> [URL] {
        guard let directory = existing(folder) else {
            throw ScenarioError(file: folder, found: "no such folder", expected: "a folder of scenarios")
        }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: directory.path) else {
            throw ScenarioError(file: folder, found: "a folder that cannot be read", expected: "a folder of scenarios")
        }
        return
            names
            .filter { $0.lowercased().hasSuffix(".json") && !$0.hasPrefix(".") && $0.lowercased() != "schema.json" }
            .sorted()
            .map { URL(fileURLWithPath: "\(directory.relativePath)/\($0)", relativeTo: workingDirectory) }
    }
}

extension ScenarioLocator {
    private func existing(_ path: String) -> URL? {
        let exact = URL(fileURLWithPath: path, relativeTo: workingDirectory)
        if FileManager.default.fileExists(atPath: exact.path) { return exact }
        return matchingWithoutCase(path)
    }

    /// Follows `path` component by component; an exact name precedes one that differs in case.
    private func matchingWithoutCase(_ path: String) -> URL? {
        var found = path.hasPrefix("/") ? "/" : ""
        for component in path.split(separator: "/").map(String.init) {
            let candidate = found + component
            if FileManager.default.fileExists(atPath: absolute(candidate)) {
                found = candidate + "/"
                continue
            }
            let names = (try? FileManager.default.contentsOfDirectory(atPath: absolute(found))) ?? []
            guard let name = names.sorted().first(where: { $0.lowercased() == component.lowercased() }) else {
                return nil
            }
            found += name + "/"
        }
        guard found.count > 1 else { return nil }
        return URL(fileURLWithPath: String(found.dropLast()), relativeTo: workingDirectory)
    }

    private func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : workingDirectory.path + "/" + path
    }

    private func isDirectory(_ url: URL) -> Bool {
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory) && isDirectory.boolValue
    }

    private func nearest(to argument: String) -> String? {
        let name = URL(fileURLWithPath: argument).deletingPathExtension().lastPathComponent
        let folders = [Self.folder, shipped?.path].compactMap(\.self)
        let known = folders.flatMap { (try? list(in: $0)) ?? [] }.map { $0.deletingPathExtension().lastPathComponent }
        return NearestName.among(known, to: name)
    }
}

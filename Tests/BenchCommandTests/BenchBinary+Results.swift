import BenchHarness
import Foundation

extension BenchBinary {
    /// The rows of a CSV of the folder.
    func rows(_ file: String = "out.csv") throws -> [ResultRow] {
        try ResultTable(contentsOf: folder.appendingPathComponent(file)).rows
    }

    /// The fields of a column in a CSV of the folder, of the rows of a phase. No field may hold a comma.
    func column(_ name: String, of phase: String, in file: String) throws -> [String] {
        let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
        let rows = text.split(separator: "\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        guard let column = rows.first?.firstIndex(of: name), let phases = rows.first?.firstIndex(of: "phase") else {
            return []
        }
        return rows.dropFirst().filter { $0[phases] == phase }.map { $0[column] }
    }

    /// Puts the manifest of the example into the folder, with other values of some keys.
    func copyMillionsManifest(to name: String, _ values: [String: String]) throws {
        let file = URL(fileURLWithPath: Self.million).deletingPathExtension().appendingPathExtension("manifest.json")
        let manifest = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
        try JSONSerialization.data(withJSONObject: (manifest ?? [:]).merging(values) { $1 })
            .write(to: folder.appendingPathComponent("\(name).manifest.json"))
    }

    /// Puts a run into the folder that is the example but for its identity, and for the time that one driver takes for
    /// a phase: so many percent of what it took.
    func copyMillion(to name: String, percent: Int, driver: String = "managed", phase: String = "fetch-sync") throws {
        let csv = URL(fileURLWithPath: Self.million)
        try copyMillionsManifest(to: name, ["run": name])
        let lines = try String(contentsOf: csv, encoding: .utf8).split(separator: "\n")
        let columns = lines[0].split(separator: ",").map(String.init)
        let place = { (column: String) in columns.firstIndex(of: column) ?? 0 }
        let rows = lines.dropFirst().map { line in
            var fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            fields[place("run")] = name
            if fields[place("driver")] == driver, fields[place("phase")] == phase {
                let time = Int(fields[place("duration_ns")]) ?? 0
                fields[place("duration_ns")] = String(time / 100 * percent)
            }
            return fields.joined(separator: ",")
        }
        let text = ([String(lines[0])] + rows).joined(separator: "\n") + "\n"
        try Data(text.utf8).write(to: folder.appendingPathComponent("\(name).csv"))
    }
}

import Foundation

/// The text of a file under `/proc`, with parsers for its formats. A value that cannot be read is nil.
struct ProcText: Sendable, Equatable {
    var text: String

    /// Reads the whole file; nil if it is missing or unreadable.
    static func read(_ path: String) -> ProcText? {
        guard let data = FileManager.default.contents(atPath: path), !data.isEmpty else { return nil }
        return ProcText(text: String(decoding: data, as: UTF8.self))
    }

    /// The number after `key:`.
    func number(_ key: String) -> Int? {
        field(key).flatMap { Int($0.prefix { $0.isNumber }) }
    }

    /// The number of kibibytes after `key:`, as bytes.
    func kibibytes(_ key: String) -> Int? {
        number(key).map { $0 * 1_024 }
    }

    /// The text after `key:`, trimmed.
    func field(_ key: String) -> String? {
        for line in text.split(separator: "\n") where line.hasPrefix(key) {
            let rest = line.dropFirst(key.count).drop { $0 == " " || $0 == "\t" }
            guard rest.first == ":" else { continue }
            return rest.dropFirst().trimmingCharacters(in: .whitespaces)
        }
        return nil
    }

    /// The average over one minute, the first field of `/proc/loadavg`.
    var loadAverage: Double? {
        text.split(separator: " ").first.flatMap { Double($0) }
    }

    /// The total of the `some` line of `/proc/pressure/*`, which is in microseconds.
    var pressureNanoseconds: Int? {
        guard let some = text.split(separator: "\n").first(where: { $0.hasPrefix("some") }),
            let total = some.split(separator: " ").last, total.hasPrefix("total=")
        else { return nil }
        return Int(total.dropFirst("total=".count)).map { $0 * 1_000 }
    }

    /// The clock ticks of `/proc/stat` in which a CPU did work, or another virtual machine had it (steal). User time
    /// includes that of guests.
    var busyTicks: Int? {
        guard let line = text.split(separator: "\n").first, line.hasPrefix("cpu ") else { return nil }
        let fields = line.split(separator: " ").dropFirst().compactMap { Int($0) }
        guard fields.count >= 8 else { return nil }
        let (user, nice, system) = (fields[0], fields[1], fields[2])
        let (irq, softirq, steal) = (fields[5], fields[6], fields[7])
        return user + nice + system + irq + softirq + steal
    }

    /// The same in nanoseconds.
    var busyNanoseconds: Int? {
        let ticksPerSecond = sysconf(Int32(_SC_CLK_TCK))
        guard let busyTicks, ticksPerSecond > 0 else { return nil }
        return busyTicks * (1_000_000_000 / ticksPerSecond)
    }
}

import Foundation

/// The CSV of all turns that `bench ab` writes beside the launches of both sides.
package struct TurnsFile: Sendable {
    /// A phase of a driver.
    package struct Place: Sendable, Hashable {
        package var driver: String
        package var phase: String

        package var pinning: Bout.Pinning { Bout.Pinning(phase: phase) }
    }

    /// The launches of each phase, in the order of their numbers: each with the observations of that phase, by the
    /// index 0.
    package let launches: [Place: [Launch]]

    private static let needed = [
        "launch", "driver", "phase", "quad", "first", "side", "turn", "cpu_ns", "duration_ns", "release_ns",
        "operations",
    ]

    /// Whether a file begins as a CSV of turns does.
    static func isOne(_ url: URL) -> Bool {
        guard let file = try? InputFile(url, kind: "a CSV file") else { return false }
        var reader = CSVReader(file: file.name, source: file.read(into:from:))
        guard (try? reader.advance()) == true else { return false }
        let names = (0..<reader.record.count).map(reader.record.text)
        return needed.allSatisfy(names.contains)
    }

    /// Reads a file.
    ///
    /// - Throws: A ``RunError`` that names the file and the line.
    package init(contentsOf url: URL) throws(RunError) {
        let file = try InputFile(url, kind: "a CSV of turns that bench ab wrote")
        var reader = CSVReader(file: file.name, source: file.read(into:from:))
        guard try reader.advance() else { throw RunError(.results, "\(file.name): an empty file; expected a header") }
        let columns = Dictionary(
            (0..<reader.record.count).map { (reader.record.text($0), $0) }, uniquingKeysWith: { first, _ in first })
        if let missing = Self.needed.first(where: { columns[$0] == nil }) {
            throw reader.failure("a header without \(missing.quoted)", expected: "the columns that bench ab writes")
        }
        var places: [Place: [Int: [Int: TurnsOfQuad]]] = [:]
        var facts: [Place: [Int: (core: Int?, surroundings: Surroundings)]] = [:]
        var count = 0
        while try reader.advance() {
            count += 1
            let line = TurnLine(reader.record, columns)
            guard reader.record.count == columns.count, reader.record.isTerminated, let line else {
                throw reader.failure(
                    "no turn", expected: "the values that bench ab writes", line: reader.record.line)
            }
            guard count <= ResultLimits.rows else {
                throw RunError(.results, "\(file.name): more than \(ResultLimits.rows) rows; expected fewer")
            }
            places[line.place, default: [:]][line.launch, default: [:]][line.quad, default: TurnsOfQuad(line)]
                .add(line)
            facts[line.place, default: [:]][line.launch] = (line.core, line.surroundings)
        }
        launches = Dictionary(
            uniqueKeysWithValues: places.map { place, launches in
                let launches = launches.sorted { $0.key < $1.key }.map { number, quads in
                    Launch(
                        number: number, core: facts[place]?[number]?.core,
                        quads: quads.sorted { $0.key < $1.key }.compactMap(\.value.quad),
                        surroundings: facts[place]?[number]?.surroundings ?? Surroundings())
                }
                return (place, launches)
            })
    }
}

/// A row of the file.
private struct TurnLine {
    let place: TurnsFile.Place
    let launch: Int
    let quad: Int
    let first: Side
    let isAtOnce: Bool
    let side: Side
    let times: Turn
    let core: Int?
    let surroundings: Surroundings

    init?(_ record: CSVRecord, _ columns: [String: Int]) {
        let text = { (name: String) in columns[name].flatMap { $0 < record.count ? record.text($0) : nil } ?? "" }
        let count = { (name: String) in Int(text(name)).flatMap { $0 >= 0 ? $0 : nil } }
        guard let launch = count("launch"), let quad = count("quad"), let first = Side(rawValue: text("first")),
            let side = Side(rawValue: text("side")), let cpu = count("cpu_ns"), let duration = count("duration_ns"),
            let release = count("release_ns"), let operations = count("operations")
        else { return nil }
        place = TurnsFile.Place(driver: text("driver"), phase: text("phase"))
        (self.launch, self.quad, self.first, self.side) = (launch, quad, first, side)
        times = Turn(
            cpu: cpu, duration: duration, server: count("cpu_server_ns"), release: release, operations: operations,
            responses: Turn.Responses(p50: count("latency_p50_ns"), p99: count("latency_p99_ns")))
        // Earlier versions had turns one after the other only, and no such column.
        isAtOnce = text("at_once") == "true"
        core = count("core")
        let share = { (name: String) in Double(text(name)).flatMap { $0.isFinite ? $0 : nil } }
        surroundings = Surroundings(
            pressure: share("pressure"), othersCores: share("others_cores"), throttled: share("throttled"))
    }
}

/// The turns of a quad, while they are read.
private struct TurnsOfQuad {
    private let first: Side
    private let isAtOnce: Bool
    private var turns: [Side: [Turn]] = [:]

    init(_ line: TurnLine) { (first, isAtOnce) = (line.first, line.isAtOnce) }

    mutating func add(_ line: TurnLine) { turns[line.side, default: []].append(line.times) }

    /// The whole quad; nil if a turn is missing. Long commands take one turn each.
    var quad: Quad? {
        guard let base = turns[.base], let new = turns[.new], base.count == new.count, base.count <= 2 else {
            return nil
        }
        return Quad(first: first, base: base, new: new, isAtOnce: isAtOnce)
    }
}

extension Launch {
    /// Creates a launch of a single phase from what files hold of it.
    init(number: Int, core: Int?, quads: [Quad], surroundings: Surroundings) {
        self.init(
            number: number, core: core, phases: 0..<1, rehearsals: [:], quads: [0: quads], manifests: [:],
            surroundings: surroundings, seconds: nil, problems: [:])
    }
}

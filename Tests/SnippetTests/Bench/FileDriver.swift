// snippet.WritingADriver.driver
import BenchCommand
import BenchDrivers
import BenchHarness
import Dispatch
import Foundation

/// Opens stores that keep all records in one JSON file.
struct FileDriver: StoreDriver {
    let name = "file"
    let summary = "all records in one JSON file, written anew at each save"
    var sessionType: any StoreSession.Type { FileSession.self }

    func unsupportedReason(for phase: Phase, in schema: Schema) -> String? {
        schema.entity.relationships.isEmpty ? nil : "it keeps no relationships"
    }

    func open(_ configuration: StoreConfiguration) throws -> any StoreSession {
        try FileSession(configuration)
    }
}

// snippet.end
// snippet.WritingADriver.session
/// An open file: its records are in memory.
final class FileSession: StoreSession {
    let queue = DispatchQueue(label: "file")
    private let file: URL
    private let entity: EntitySpec
    private let generator: RecordGenerator
    private let synchronous: StoreOptions.Synchronous
    private var records: [[FieldValue]] = []

    init(_ configuration: StoreConfiguration) throws {
        file = configuration.directory.appending(path: "records.json")
        entity = configuration.entity
        generator = configuration.records
        synchronous = configuration.options.synchronous
        if FileManager.default.fileExists(atPath: file.path) { records = try read() } else { try save() }
    }

    func seed(_ work: SeedWork, records count: Int, monitor: PhaseMonitor) throws {
        for ordinals in work.saves(of: count) {
            try monitor.operation {
                for ordinal in ordinals {
                    records.append(entity.attributes.indices.map { generator.value($0, ordinal) })
                }
                try save()
            }
        }
    }

    func scan(into digester: inout RecordDigester) throws {
        try FileRecords(values: read()).digest(into: &digester)
    }

    private func read() throws -> [[FieldValue]] {
        try JSONDecoder().decode([[FieldValue]].self, from: Data(contentsOf: file))
    }

    /// Replaces the file by a new one, and makes both it and its name in the folder durable.
    private func save() throws {
        try JSONEncoder().encode(records).write(to: file, options: .atomic)
        for url in synchronous == .off ? [] : [file, file.deletingLastPathComponent()] {
            let handle = try FileHandle(forReadingFrom: url)
            try handle.synchronize()
            try handle.close()
        }
    }

    func settings() throws -> [StoreSettings] {
        var settings = StoreSettings()
        settings.synchronous = synchronous
        return [settings]
    }

    func checkIntegrity() throws -> [String] { [] }
    func counters() throws -> StoreCounters { StoreCounters() }
    func resetCounters() {}
    func finish() {}
    func close() throws {}
}

// snippet.end
// snippet.WritingADriver.fetch
/// Records as they were fetched.
struct FileRecords: FetchedRecords {
    let values: [[FieldValue]]
    var count: Int { values.count }

    func digest(_ positions: Range<Int>, into digester: inout RecordDigester) {
        for record in values[positions] {
            for value in record { digester.add(value) }
            digester.endRecord()
        }
    }
}

extension FileSession: FetchingSession {
    func fetch(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
        try queue.sync {
            let order = try RecordOrder(work.sort, of: entity)
            let kept = try entity.keeping(work.attributes).attributes.map { try entity.position(of: $0.name) }
            let found = places(work.filter).sorted { order.areInIncreasingOrder(records[$0], records[$1]) }
                .prefix(work.limit > 0 ? work.limit : .max)
            return FileRecords(values: found.map { place in kept.map { records[place][$0] } })
        }
    }

    /// The places of the records that match.
    private func places(_ filter: FilterSpec?) -> [Int] {
        guard let filter = filter.map({ RecordFilter($0, entity: entity) }) else { return Array(records.indices) }
        return records.indices.filter { place in filter.matches { records[place][$0] } }
    }
}

// snippet.end
// snippet.WritingADriver.update
extension FileSession: UpdatingSession {
    func prepareUpdate(_ work: UpdateWork) throws {}

    func update(_ work: UpdateWork, monitor: PhaseMonitor) throws {
        let places = places(work.filter)
        guard work.mode == .chunked else { return try change(places[...], work.set) }
        for start in stride(from: 0, to: places.count, by: work.chunkSize) {
            let chunk = places[start..<min(start + work.chunkSize, places.count)]
            try monitor.operation { try change(chunk, work.set) }
        }
    }

    private func change(_ places: ArraySlice<Int>, _ changes: [AttributeChange]) throws {
        for change in changes {
            let attribute = try entity.position(of: change.attribute)
            for place in places {
                // No phase of this driver deletes, so a record's place is its ordinal.
                records[place][attribute] = records[place][attribute].after(change.operation, ordinal: place)
            }
        }
        try save()
    }
}

// snippet.end
// snippet.WritingADriver.inspector
/// Reads the file for the harness, without a session.
struct FileInspector: StoreInspector {
    let name = "reader of the JSON file"
    let countsVersions = false
    let file: URL

    func forEachRecord(_ body: (StoredRecord) -> Void) throws {
        let records = try JSONDecoder().decode([[FieldValue]].self, from: Data(contentsOf: file))
        for values in records { body(StoredRecord(values: values, version: nil)) }
    }

    func checkIntegrity() -> [String] { [] }
}

extension FileDriver {
    func inspector(of configuration: StoreConfiguration) -> (any StoreInspector)? {
        FileInspector(file: configuration.directory.appending(path: "records.json"))
    }
}

// snippet.end
// snippet.WritingADriver.operation
extension FileDriver {
    var operations: [StoreOperation] {
        [
            StoreOperation(
                "archive-thread", "archives the messages of one thread", on: FileSession.self, effect: .changes,
                parameters: [OperationParameter("first", default: 0)],
                run: { session, call in
                    try session.archive(thread: call.parameters.integer("first") + call.number)
                },
                verify: { _, outcome in
                    let thread = try outcome.entity.position(of: "thread")
                    let archived = try outcome.entity.position(of: "archived")
                    let first = try outcome.parameters.integer("first")
                    let threads = first..<first + outcome.results.count
                    var (wanted, found) = (0, 0)
                    outcome.forEachRecordBefore { values in
                        let isOfThread = threads.contains { values[thread] == .int64(Int64($0)) }
                        if isOfThread || values[archived] == .bool(true) { wanted += 1 }
                    }
                    try outcome.forEachRecord { if $0.values[archived] == .bool(true) { found += 1 } }
                    return found == wanted ? [] : ["\(found) messages are archived; expected \(wanted)"]
                })
        ]
    }
}

extension FileSession {
    /// Archives the messages of a thread.
    fileprivate func archive(thread: Int) throws {
        let (number, archived) = try (entity.position(of: "thread"), entity.position(of: "archived"))
        for place in records.indices where records[place][number] == .int64(Int64(thread)) {
            records[place][archived] = .bool(true)
        }
        try save()
    }
}

// snippet.end
private func main() async {
    // snippet.WritingADriver.main
    let command = BenchCommand(drivers: Drivers.all + [FileDriver()])
    exit(await command.run(arguments: CommandLine.arguments).rawValue)
    // snippet.end
}

import Foundation
import TestSupport

/// What is done to a valid file. Every draw is the case's seed's.
struct Damage {
    private var random: SeededGenerator

    init(_ random: SeededGenerator) {
        self.random = random
    }

    /// Damages the file in `folder`: its bytes, its rows, its schema, or several of them.
    mutating func perform(in folder: URL) throws {
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1: try damageBytes(in: folder)
        case 2, 3, 4: try change(folder, cells: true, schema: false)
        case 5, 6: try change(folder, cells: random.oneIn(3), schema: true)
        default:
            try change(folder, cells: true, schema: random.oneIn(2))
            try damageBytes(in: folder)
        }
    }

    private mutating func damageBytes(in folder: URL) throws {
        var files = try StoreFiles.read(folder)
        ByteDamage.perform(on: &files, &random)
        try StoreFiles.write(files, to: folder)
    }

    /// By SQL, in one of the ways that a process may leave a file: closed, or with its log beside it.
    private mutating func change(_ folder: URL, cells: Bool, schema: Bool) throws {
        let left = try changed(folder, cells: cells, schema: schema)
        if random.oneIn(2) { try StoreFiles.write(left, to: folder) }
    }

    /// Changes the file, and hands over what there was before the connection was closed, which writes the log back.
    private mutating func changed(_ folder: URL, cells: Bool, schema: Bool) throws -> [String: Data] {
        let connection = try RawConnection(folder.appendingPathComponent(ValidFile.name))
        // A file that has grown large takes its time for no reason but its size.
        connection.attempt("PRAGMA wal_autocheckpoint = 0; PRAGMA synchronous = OFF; PRAGMA max_page_count = 4000")
        if random.oneIn(4) { connection.attempt("PRAGMA journal_mode = \(random.pick(["WAL", "DELETE"]))") }
        for _ in 0..<(cells ? Int.random(in: 1...8, using: &random) : 0) {
            CellDamage.perform(on: connection, &random)
        }
        for _ in 0..<(schema ? Int.random(in: 1...3, using: &random) : 0) {
            SchemaDamage.perform(on: connection, &random)
        }
        return try StoreFiles.read(folder)
    }
}

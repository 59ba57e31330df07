import Foundation

/// Files of JSON for people and programs: indented, keys sorted and in snake case, dates as ISO 8601 has them.
enum JSONFile {
    /// Reads a file; `kind` is what it must be, for messages.
    static func read<Value: Decodable>(_ type: Value.Type, _ url: URL, kind: String) throws -> Value {
        let contents = try InputFile(url, kind: kind).contents(limit: ResultLimits.manifestBytes)
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(type, from: contents)
    }

    static func text(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return try encoder.encode(value) + Data("\n".utf8)
    }

    /// Puts a file in place as a whole, so that nobody ever sees half of it.
    static func write(_ value: some Encodable, to url: URL) throws(RunError) {
        let path = url.path
        guard let json = try? text(value) else { throw RunError(.output, "cannot put \(path) into JSON") }
        let temporary = path + ".new"
        guard create(temporary, json), rename(temporary, path) == 0 else {
            let reason = String(cString: strerror(errno))
            unlink(temporary)
            throw RunError(.output, "cannot write \(path): \(reason)")
        }
    }

    /// Writes a whole file; false, and `errno` says why, when it could not be.
    private static func create(_ path: String, _ contents: Data) -> Bool {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard file >= 0 else { return false }
        defer {
            let reason = errno
            close(file)
            errno = reason
        }
        var rest = contents[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { return false }
            rest = rest.dropFirst(written)
        }
        return true
    }
}

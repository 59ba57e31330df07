import Foundation

/// JSON files for people and programs: indented, with sorted keys in snake case and dates according to ISO 8601.
package enum JSONFile {
    /// Reads a file; `kind` is the expected kind of file, for messages.
    static func read<Value: Decodable>(_ type: Value.Type, _ url: URL, kind: String) throws -> Value {
        try decode(type, InputFile(url, kind: kind).contents(limit: ResultLimits.manifestBytes))
    }

    /// Decodes a file, or a line of one.
    static func decode<Value: Decodable>(_ type: Value.Type, _ contents: Data) throws -> Value {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        decoder.keyDecodingStrategy = .custom { path in
            path.last.map { $0.intValue == nil ? SnakeCaseKey(camelCaseOf: $0.stringValue) : $0 } ?? SnakeCaseKey("")
        }
        return try decoder.decode(type, from: contents)
    }

    /// Returns why a file could not be read, in words.
    package static func reason(_ error: any Error) -> String {
        switch error {
        case DecodingError.keyNotFound(let key, let context):
            "\(place(context))the key \"\(key.stringValue)\" is missing"
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            "\(place(context))a value of another kind"
        case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
            "\(place(context))\(context.debugDescription)"
        case is DecodingError: "no JSON"
        default: "\(error)"
        }
    }

    private static func place(_ context: DecodingError.Context) -> String {
        let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? "." + $0.stringValue }.joined()
        return path.isEmpty ? "" : "\(path.hasPrefix(".") ? path.dropFirst() : path[...]): "
    }

    package static func text(_ value: some Encodable) throws -> Data { try encode(value, [.prettyPrinted]) }

    /// Returns the same on one line, for a file of many.
    static func line(_ value: some Encodable) throws -> Data { try encode(value, []) }

    private static func encode(_ value: some Encodable, _ more: JSONEncoder.OutputFormatting) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = more.union([.sortedKeys, .withoutEscapingSlashes])
        encoder.dateEncodingStrategy = .iso8601
        encoder.keyEncodingStrategy = .custom { path in
            path.last.map { $0.intValue == nil ? SnakeCaseKey(of: $0.stringValue) : $0 } ?? SnakeCaseKey("")
        }
        return try encoder.encode(value) + Data("\n".utf8)
    }

    /// Writes a file atomically, so that no reader sees a part of it.
    static func write(_ value: some Encodable, to url: URL) throws(RunError) {
        guard let json = try? text(value) else { throw RunError(.output, "cannot encode \(url.path) as JSON") }
        try AtomicFile.write(json, to: url.path)
    }
}

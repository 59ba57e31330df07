import Foundation

/// An item in a file to synchronise.
struct SyncRecord: Sendable {
    let name: String
    let done: Bool
    let createdAt: Date
}

/// Reads such files. An error names the file, the place in it, and the expected content.
enum SyncFile {
    static func read(_ path: String) throws -> [SyncRecord] {
        guard let data = FileManager.default.contents(atPath: path) else {
            let exists = FileManager.default.fileExists(atPath: path)
            throw TodoError("\(path) \(exists ? "cannot be read" : "does not exist")")
        }
        do {
            let records = try JSONDecoder().decode([SyncRecord].self, from: data)
            try checkNames(records)
            return records
        } catch let error as DecodingError {
            throw TodoError("\(path): \(error.place)\(error.complaint)")
        }
    }

    /// Checks that names are unique, since they identify items here.
    private static func checkNames(_ records: [SyncRecord]) throws {
        var first: [String: Int] = [:]
        for (index, record) in records.enumerated() {
            if let other = first.updateValue(index, forKey: record.name) {
                let path: [any CodingKey] = [IndexKey(index), SyncRecord.Key.name]
                throw DecodingError.dataCorrupted(
                    .init(codingPath: path, debugDescription: "\"\(record.name)\" is at [\(other)] already"))
            }
        }
    }

    private struct IndexKey: CodingKey {
        let intValue: Int?
        let stringValue: String
        init(_ index: Int) { (intValue, stringValue) = (index, "\(index)") }
        init?(intValue: Int) { self.init(intValue) }
        init?(stringValue: String) { nil }
    }
}

extension SyncRecord: Decodable {
    enum Key: String, CodingKey, CaseIterable {
        case name, done, createdAt

        var expected: String {
            switch self {
            case .name: "a text that is not empty"
            case .done: "true or false"
            case .createdAt: "a date and time such as \"2024-05-01T12:00:00Z\""
            }
        }
    }

    private struct AnyKey: CodingKey {
        let stringValue: String
        let intValue: Int? = nil
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        try Self.refuseUnknownKeys(decoder)
        let values = try decoder.container(keyedBy: Key.self)
        name = try values.decode(String.self, forKey: .name)
        done = try values.decode(Bool.self, forKey: .done)
        guard !name.isEmpty else { throw Self.mistake(values, .name) }
        let text = try values.decode(String.self, forKey: .createdAt)
        guard let date = Self.date(text) else { throw Self.mistake(values, .createdAt) }
        createdAt = date
    }

    private static func refuseUnknownKeys(_ decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: AnyKey.self)
        let known = Key.allCases.map(\.rawValue)
        guard let unknown = values.allKeys.first(where: { !known.contains($0.stringValue) }) else { return }
        let nearest = known.nearest(to: unknown.stringValue)
        let hint = nearest.map { "did you mean \($0)?" } ?? "it can be \(known.joined(separator: ", "))"
        throw DecodingError.dataCorrupted(
            .init(codingPath: values.codingPath + [unknown], debugDescription: "there is no such key; \(hint)"))
    }

    private static func mistake(_ values: KeyedDecodingContainer<Key>, _ key: Key) -> DecodingError {
        DecodingError.dataCorruptedError(forKey: key, in: values, debugDescription: "should be \(key.expected)")
    }

    private static func date(_ text: String) -> Date? {
        (try? Date(text, strategy: .iso8601))
            ?? (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
    }
}

extension DecodingError {
    private var context: Context? {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            context
        @unknown default: nil
        }
    }

    /// The place of the error: `[2].done: `.
    fileprivate var place: String {
        var path = context?.codingPath ?? []
        if case .keyNotFound(let key, _) = self { path.append(key) }
        let text = path.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
        return text.isEmpty ? "" : "\(text): "
    }

    fileprivate var complaint: String {
        switch self {
        case .keyNotFound: return "is missing"
        case .typeMismatch, .valueNotFound:
            guard let last = context?.codingPath.last else { return "should be a list: [{ \"name\": ... }, ...]" }
            guard let key = SyncRecord.Key(stringValue: last.stringValue) else {
                return "should be an object with \(SyncRecord.Key.allCases.map(\.rawValue).joined(separator: ", "))"
            }
            return "should be \(key.expected)"
        default:
            guard let context, !context.codingPath.isEmpty else { return "is not valid JSON" }
            return context.debugDescription
        }
    }
}

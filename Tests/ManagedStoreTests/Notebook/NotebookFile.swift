import Foundation

@testable import ManagedStore

/// The property list in which a notebook lies: `identifier`, `metadata`, `nextKeys` and `rows` by the entity's name.
struct NotebookFile {
    let url: URL
    let format: PropertyListSerialization.PropertyListFormat

    /// Nil when there is no file yet.
    func identifier() throws(StoreError) -> UUID? {
        guard FileManager.default.fileExists(atPath: url.path) else { return nil }
        guard let text = try list()["identifier"] as? String, let identifier = UUID(uuidString: text) else {
            throw notANotebook
        }
        return identifier
    }

    private var notANotebook: StoreError { StoreError(.incompatibleStore, "\(url.path) is no notebook") }

    private func list() throws(StoreError) -> [String: Any] {
        do {
            let list = try PropertyListSerialization.propertyList(from: try Data(contentsOf: url), format: nil)
            if let list = list as? [String: Any] { return list }
        } catch {}
        throw notANotebook
    }

    func content(_ sources: [ObjectIDSource]) throws(StoreError) -> NotebookContent {
        let list = try list()
        var content = NotebookContent()
        content.metadata = (list["metadata"] as? Data).map(StoreMetadata.decode) ?? [:]
        for source in sources {
            let name = source.entity.name
            content.nextKeys[source.entityIndex] = (list["nextKeys"] as? [String: Int])?[name].map(Int64.init)
            for stored in (list["rows"] as? [String: [[String: Any]]])?[name] ?? [] {
                guard let key = stored["key"] as? Int, let version = stored["version"] as? Int else {
                    throw notANotebook
                }
                let row = NotebookRow(source, key: Int64(key), version: Int32(version))
                for (field, attribute) in zip(source.entity.layout.fields, source.entity.attributes) {
                    let value = stored["=" + attribute.name].flatMap { attribute.attributeType.value($0) }
                    row.page.setValue(value ?? .null, of: field, of: row.row)
                }
                content.rows[source.rootIndex, default: [:]][row.row.key] = row
            }
        }
        return content
    }

    func write(_ content: NotebookContent, _ identifier: UUID, _ sources: [ObjectIDSource]) throws(StoreError) {
        var rows: [String: [[String: Any]]] = [:]
        for stored in content.rows.values.flatMap(\.values) {
            let entity = stored.page.source.entity
            var list: [String: Any] = ["key": Int(stored.row.key), "version": Int(stored.row.version)]
            for (field, attribute) in zip(entity.layout.fields, entity.attributes) {
                list["=" + attribute.name] = stored.reference.value(field).plain
            }
            rows[entity.name, default: []].append(list)
        }
        let nextKeys = content.nextKeys.map { (sources[$0].entity.name, Int($1)) }
        let list: [String: Any] = [
            "identifier": identifier.uuidString, "metadata": try StoreMetadata.encode(content.metadata, over: nil),
            "nextKeys": Dictionary(uniqueKeysWithValues: nextKeys), "rows": rows,
        ]
        do {
            try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0)
                .write(to: url, options: .atomic)
        } catch {
            throw StoreError(.storeFailure, "\(url.path) cannot be written: \(error)")
        }
    }
}

extension StoredValue {
    /// As the property list keeps it, exactly: data, or an integer; nil for a missing value.
    fileprivate var plain: Any? {
        switch self {
        case .null, .objectID, .objectIDs: nil
        case .string(let value), .uri(let value): Data(value.utf8)
        case .decimal(let value): Data("\(value)".utf8)
        case .binaryData(let value), .transformable(let value): value
        case .uuid(let value): Data(value.uuidString.utf8)
        case .boolean(let value): value ? 1 : 0
        case .integer16(let value): Int(value)
        case .integer32(let value): Int(value)
        case .integer64(let value): Int(value)
        case .date(let value), .double(let value): Int(bitPattern: UInt(value.bitPattern))
        case .float(let value): Int(value.bitPattern)
        }
    }
}

extension AttributeType {
    /// The value that a property list keeps as `plain`.
    fileprivate func value(_ plain: Any) -> StoredValue? {
        if let data = plain as? Data {
            let text = String(decoding: data, as: UTF8.self)
            return switch self {
            case .string: .string(text)
            case .uri: .uri(text)
            case .decimal: Decimal(string: text).map { .decimal($0) }
            case .uuid: UUID(uuidString: text).map { .uuid($0) }
            case .transformable: .transformable(data)
            default: .binaryData(data)
            }
        }
        guard let number = plain as? Int else { return nil }
        return switch self {
        case .boolean: .boolean(number != 0)
        case .integer16: .integer16(Int16(number))
        case .integer32: .integer32(Int32(number))
        case .integer64: .integer64(Int64(number))
        case .date: .date(Double(bitPattern: UInt64(UInt(bitPattern: number))))
        case .double: .double(Double(bitPattern: UInt64(UInt(bitPattern: number))))
        case .float: .float(Float(bitPattern: UInt32(number)))
        default: nil
        }
    }
}

import Foundation

/// The property list in `Z_METADATA`: the application's entries among those of the library that made the store.
enum StoreMetadata {
    private static let ownPrefixes = ["NS", "_NS"]

    /// The application's entries.
    static func decode(_ plist: Data) -> [String: StoredValue] {
        dictionary(plist).filter { isApplications($0.key) }.compactMapValues(value)
    }

    /// A property list with the application's `entries` in the place of those in `plist`; everything else stays.
    static func encode(_ entries: [String: StoredValue], over plist: Data?) throws(StoreError) -> Data {
        var all = plist.map(dictionary) ?? ["NSStoreType": "SQLite"]
        all = all.filter { !isApplications($0.key) || value($0.value) == nil }
        for (key, entry) in entries {
            guard isApplications(key) else {
                throw StoreError(
                    .invalidRequest, "metadata keys that begin with NS belong to the store; rename \"\(key)\"")
            }
            guard entry.isPropertyList else {
                throw StoreError(
                    .invalidRequest,
                    "metadata keeps strings, bools, dates, 64-bit integers, doubles and data; \"\(key)\" is none")
            }
            all[key] = entry.any
        }
        do {
            return try PropertyListSerialization.data(fromPropertyList: all, format: .binary, options: 0)
        } catch {
            throw StoreError(.storeFailure, "the store's metadata cannot be written: \(error)")
        }
    }

    /// Whether these are entries, or nothing at all.
    static func isReadable(_ plist: Data) -> Bool {
        plist.isEmpty
            || (try? PropertyListSerialization.propertyList(from: plist, format: nil)) is [String: Any]
    }

    /// Whether Apple's Core Data wrote the entries: no other library can compute its hashes of a model.
    static func isCoreDatas(_ plist: Data) -> Bool {
        dictionary(plist)["NSStoreModelVersionHashes"] != nil
    }

    /// The names of the entities that the hashes are of; none where Apple's Core Data did not write the entries.
    static func hashedEntities(_ plist: Data) -> Set<String> {
        Set((dictionary(plist)["NSStoreModelVersionHashes"] as? [String: Any] ?? [:]).keys)
    }

    private static func dictionary(_ plist: Data) -> [String: Any] {
        (try? PropertyListSerialization.propertyList(from: plist, format: nil)) as? [String: Any] ?? [:]
    }

    private static func isApplications(_ key: String) -> Bool {
        !ownPrefixes.contains { key.hasPrefix($0) }
    }

    /// A property list's own types only. Its bools, integers and doubles arrive as `NSNumber`, which casts 1 to `true`
    /// as well as to `1.0`: how the number was written tells them apart.
    private static func value(_ any: Any) -> StoredValue? {
        switch any {
        case let value as String: .string(value)
        case let value as Date: .date(value.timeIntervalSinceReferenceDate)
        case let value as Data: .binaryData(value)
        case let value as NSNumber: number(value)
        default: nil
        }
    }

    private static func number(_ value: NSNumber) -> StoredValue {
        switch String(cString: value.objCType) {
        case "c", "B": .boolean(value.boolValue)
        case "d", "f": .double(value.doubleValue)
        default: .integer64(value.int64Value)
        }
    }
}

extension StoredValue {
    /// Whether a property list gives the value back as it was.
    fileprivate var isPropertyList: Bool {
        switch type {
        case nil, .string, .boolean, .date, .integer64, .double, .binaryData: true
        default: false
        }
    }
}

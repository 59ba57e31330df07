import Foundation

/// The files in which Core Data stores large values of attributes that allow it.
///
/// The first byte in the row states the location of the value: after 01, the value follows; after 02, the name of a
/// file follows, which is a UUID in 36 characters and a NUL. The files of `Notes.sqlite` are in
/// `.Notes_SUPPORT/_EXTERNAL_DATA` beside it.
struct ExternalData: Sendable {
    private enum Marker {
        static let inline: UInt8 = 1
        static let reference: UInt8 = 2
    }

    let folder: String

    private static let nameLength = 36
    /// The maximum size in bytes, which is that of a row in SQLite.
    private static let longest = 1_000_000_000

    /// Locates the folder of the store at `path`.
    init(storeAt path: String) {
        let url = URL(filePath: path)
        let name = url.deletingPathExtension().lastPathComponent
        folder = url.deletingLastPathComponent().appending(path: ".\(name)_SUPPORT/_EXTERNAL_DATA")
            .path(percentEncoded: false)
    }

    var exists: Bool { FileManager.default.fileExists(atPath: folder) }

    /// Returns a value in the form in which a row holds it.
    static func inlineValue(_ payload: UnsafeRawBufferPointer) -> Data {
        var value = Data(capacity: payload.count + 1)
        value.append(Marker.inline)
        value.append(contentsOf: payload)
        return value
    }

    /// Returns the value for a row's bytes; reads a file if they refer to one.
    ///
    /// - Throws: `StoreError` with `storeFailure`; `name` is the subject of its message.
    func value(_ bytes: UnsafeRawBufferPointer, of name: @autoclosure () -> String) throws(StoreError) -> Data {
        switch bytes.first {
        case Marker.inline: return Data(bytes.dropFirst())
        case Marker.reference:
            if let file = Self.fileName(bytes) { return try read(file, name()) }
            throw StoreError(
                .storeFailure,
                "\(name()) names a file beside the store, but not by a UUID; restore the row from a copy")
        default:
            throw StoreError(
                .storeFailure,
                "\(name()) begins with neither 01 nor 02, Core Data's marks for values of an attribute that allows "
                    + "external storage; if the attribute does not allow it, set allowsExternalBinaryDataStorage to "
                    + "false")
        }
    }

    /// Returns the name of the file that a row's bytes refer to. Only a UUID is accepted: a path could lead anywhere.
    static func fileName(_ bytes: UnsafeRawBufferPointer) -> String? {
        guard bytes.count == nameLength + 2, bytes.first == Marker.reference, bytes.last == 0 else { return nil }
        let name = String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self)
        return UUID(uuidString: name) == nil ? nil : name
    }

    private func read(_ file: String, _ name: String) throws(StoreError) -> Data {
        // Follows no link, and does not wait for a pipe, which would never end.
        let descriptor = open("\(folder)/\(file)", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(file, name, String(cString: strerror(errno))) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw unreadable(file, name, "it is not a regular file")
        }
        guard status.st_size <= Self.longest else {
            throw unreadable(file, name, "its size of \(status.st_size) bytes exceeds the limit for a value")
        }
        do {
            return try handle.read(upToCount: Int(status.st_size)) ?? Data()
        } catch {
            throw unreadable(file, name, "\(error)")
        }
    }

    private func unreadable(_ file: String, _ name: String, _ reason: String) -> StoreError {
        StoreError(
            .storeFailure,
            "\(name) is kept in \(folder)/\(file), which cannot be read: \(reason); put the folder back beside the store"
        )
    }
}

import Foundation

/// Transformable values in a file that Core Data wrote. They are archives, which this package does not decode.
extension SaveTransaction {
    /// - Throws: `StoreError` with `wrongType` if a save would replace bytes that are not JSON by JSON. A program that
    ///   reads the file next expects an archive there.
    func checkArchivedValues() throws(StoreError) {
        let archived = store.archivedAttributes
        if archived.isEmpty { return }
        var errors: [StoreError] = []
        context.pending.updated.all.forEachUncounted { object in
            guard let positions = archived[object.entityIndex], let origin = object.page.origin(of: object.row) else {
                return
            }
            for position in positions where object.rowReference.replacesArchive(at: position, of: origin) {
                errors.append(object.entity.wouldReplaceArchive(at: position, of: origin, object.objectID))
            }
        }
        try StoreError.throwAll(errors)
    }
}

extension RowReference {
    /// Whether a changed row has JSON where `origin` has other bytes.
    func replacesArchive(at position: Int, of origin: RowReference) -> Bool {
        let field = page._withUnsafeGuaranteedRef { $0.layout.fields[position] }
        if field.isNull(in: origin.row) || field.isNull(in: row) || RowPage.areEqual(origin, self, field) {
            return false
        }
        return !TransformableForm.isJSON(origin.bytes(field)) && TransformableForm.isJSON(bytes(field))
    }
}

extension EntityDescription {
    /// Makes the error for an object whose row in the store is `origin`.
    func wouldReplaceArchive(at position: Int, of origin: RowReference, _ objectID: ManagedObjectID) -> StoreError {
        let attribute = attributes[position]
        return StoreError(
            .wrongType,
            "\(objectID): \(name).\(attribute.name) holds "
                + "\(TransformableForm.description(origin.bytes(layout.fields[position]))), which is not JSON, and JSON must "
                + "not replace it: set it to nil first and save, or declare the attribute as binaryData and write what the other "
                + "application reads",
            objectID: objectID, key: attribute.name)
    }
}

/// The form of a transformable attribute's bytes.
enum TransformableForm {
    /// Whether the bytes are JSON, the form that this package writes.
    static func isJSON(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if bytes.starts(with: "bplist".utf8) { return false }
        return (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)) != nil
    }

    /// Describes the bytes for an error message.
    static func description(_ bytes: UnsafeRawBufferPointer) -> String {
        bytes.starts(with: "bplist".utf8)
            ? "\(bytes.count) bytes of a binary property list, such as an archive of Core Data's"
            : "\(bytes.count) bytes"
    }
}

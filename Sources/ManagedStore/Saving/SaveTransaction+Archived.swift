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
            for position in positions where object.replacesArchive(at: position, of: origin) {
                errors.append(object.wouldReplaceArchive(at: position))
            }
        }
        try StoreError.throwAll(errors)
    }
}

extension ManagedObject {
    fileprivate func replacesArchive(at position: Int, of origin: RowReference) -> Bool {
        let (field, mine) = (page.layout.fields[position], rowReference)
        if field.isNull(in: origin.row) || field.isNull(in: row) || RowPage.areEqual(origin, mine, field) {
            return false
        }
        return !TransformableForm.isJSON(origin.bytes(field)) && TransformableForm.isJSON(mine.bytes(field))
    }

    fileprivate func wouldReplaceArchive(at position: Int) -> StoreError {
        let attribute = entity.attributes[position]
        return StoreError(
            .wrongType,
            "\(objectID): \(entity.name).\(attribute.name) holds "
                + "\(TransformableForm.description(page.origin(of: row)?.bytes(page.layout.fields[position]))), which is not JSON, and JSON must "
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
    static func description(_ bytes: UnsafeRawBufferPointer?) -> String {
        guard let bytes else { return "other bytes" }
        return bytes.starts(with: "bplist".utf8)
            ? "\(bytes.count) bytes of a binary property list, such as an archive of Core Data's"
            : "\(bytes.count) bytes"
    }
}

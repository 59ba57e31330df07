import Foundation

/// Values that Core Data may store in separate files.
extension RowDecoder {
    /// Replaces the references in a row by the values that they lead to.
    func decodeExternals(_ shape: RowSelection.Shape, _ row: RowPointer, _ page: RowPage) throws(StoreError) {
        guard let folder = externalData else { return }
        for position in shape.externals {
            let field = page.layout.fields[position]
            if field.isNull(in: row) { continue }
            let bytes = Data(page.bytes(of: field, of: row))
            do throws(StoreError) {
                let value = try Self.value(
                    bytes, folder, "\(page.entity.name)/p\(row.key).\(page.entity.fieldNames[position])")
                guard page.arena.count + value.count < Int(UInt32.max) / 2 else { throw tooMuch(page.entity.name) }
                value.withUnsafeBytes { page.setBytes($0, of: field, of: row) }
            } catch {
                guard isLenient else { throw error }
                page.setNull(field, of: row)
            }
        }
    }

    private static func value(
        _ bytes: Data, _ folder: ExternalData, _ name: String
    ) throws(StoreError) -> Data {
        let read: Result<Data, StoreError> = bytes.withUnsafeBytes { bytes in
            do throws(StoreError) { return .success(try folder.value(bytes, of: name)) } catch {
                return .failure(error)
            }
        }
        return try read.get()
    }

    private func tooMuch(_ entity: String) -> StoreError {
        StoreError(
            .storeFailure, "the data of the \(entity) objects exceeds 2 GiB: fetch fewer objects at a time")
    }
}

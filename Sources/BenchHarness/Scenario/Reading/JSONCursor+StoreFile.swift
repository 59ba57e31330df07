import Foundation

extension JSONCursor {
    /// Reads the path of a store's file, relative to the folder of the scenario, and returns the whole path.
    func storeFile() -> String? {
        guard let path = string() else { return nil }
        let folder = URL(fileURLWithPath: source.file).deletingLastPathComponent()
        let file = URL(fileURLWithPath: path, relativeTo: folder).standardizedFileURL
        var isFolder: ObjCBool = false
        let exists = !path.isEmpty && FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder)
        guard exists, !isFolder.boolValue else {
            let fault = exists ? "\(path.quoted), which is a folder" : "the file \(path.quoted), which does not exist"
            refuse(
                path.isEmpty ? "no path" : fault,
                expected: "the path of a store's file, from the folder of the scenario")
            return nil
        }
        if access(file.path, R_OK) != 0 {
            refuse(
                "the file \(path.quoted), which this program may not read", expected: "permission to read it (chmod)")
            return nil
        }
        return file.path
    }
}

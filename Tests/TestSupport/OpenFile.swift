import Foundation

/// The files that this process has open.
public enum OpenFile {
    /// Returns a descriptor of the file at `path`; nil if it is not open.
    public static func descriptor(of path: String) -> Int32? {
        var wanted = stat()
        guard stat(path, &wanted) == 0 else { return nil }
        return (0..<Int32(getdtablesize())).first { descriptor in
            var facts = stat()
            return fstat(descriptor, &facts) == 0 && facts.st_ino == wanted.st_ino && facts.st_dev == wanted.st_dev
        }
    }
}

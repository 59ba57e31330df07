/// The part of a program that a function belongs to: a library, the allocator, Swift's runtime, or a module.
enum CodePart {
    /// The libraries that parts are called after, by the beginnings of the names of their files.
    private static let libraries = [
        ("libsqlite3", "SQLite"), ("liblmdb", "LMDB"), ("libpq", "libpq"), ("libdispatch", "Dispatch"),
    ]
    private static let libraryOfC = ["libc.", "libc-", "libm.", "libm-", "libpthread", "ld-linux", "ld-", "linux-vdso"]
    private static let allocation = ["malloc", "calloc", "realloc", "free", "memalign"]
    /// How the names of functions in Swift's runtime begin, which is written in C++.
    private static let runtime = [
        "swift_", "_swift_", "__swift", "_ZN5swift", "_ZNK5swift", "_ZNR5swift", "_ZL", "_ZZ",
    ]

    /// Returns the part of a function, by its symbol and by the path of the file that it lies in.
    static func name(of function: String, in file: String) -> String {
        let file = file.split(separator: "/").last ?? ""
        // A program may have its own copy of SQLite.
        if function.hasPrefix("sqlite3") { return "SQLite" }
        if let library = libraries.first(where: { file.hasPrefix($0.0) }) { return library.1 }
        if allocation.contains(where: function.contains), !function.hasPrefix("$s") { return "allocation" }
        if libraryOfC.contains(where: file.hasPrefix) { return "C library" }
        if let module = module(of: function) { return module }
        if runtime.contains(where: function.hasPrefix) { return "Swift runtime" }
        return function.contains("dispatch_") ? "Dispatch" : "other"
    }

    /// Returns the module in a mangled name of Swift; "Swift library" for types of the standard library, among them
    /// those that another module specialises.
    private static func module(of function: String) -> String? {
        guard function.hasPrefix("$s") else { return nil }
        let name = function.dropFirst(2)
        if let module = identifier(name) { return own(module.text) }
        // `$sSS` is String; `$sSS12ManagedStoreE` is what the module ManagedStore adds to it.
        if let module = identifier(name.dropFirst(2)), module.rest.hasPrefix("E") { return own(module.text) }
        return "Swift library"
    }

    private static func own(_ module: Substring) -> String {
        module.hasPrefix("Foundation") ? "Foundation" : String(module)
    }

    /// Returns the identifier that follows its length, as in `12ManagedStore`, and what comes after it.
    private static func identifier(_ text: Substring) -> (text: Substring, rest: Substring)? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let length = Int(digits), length > 0, text.count >= digits.count + length else { return nil }
        let name = text.dropFirst(digits.count)
        return (name.prefix(length), name.dropFirst(length))
    }
}

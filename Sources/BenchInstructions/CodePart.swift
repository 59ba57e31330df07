import BenchHarness

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

    /// Returns the part of a function, by its symbol and by the path of the file that it lies in. `modules` are those
    /// of the program.
    static func name(of function: String, in file: String, _ modules: Set<Substring>) -> String {
        let file = file.split(separator: "/").last ?? ""
        // A program may have its own copy of SQLite.
        if function.hasPrefix("sqlite3") { return "SQLite" }
        if let library = libraries.first(where: { file.hasPrefix($0.0) }) { return library.1 }
        if allocation.contains(where: function.contains), !function.hasPrefix("$s") { return "allocation" }
        if libraryOfC.contains(where: file.hasPrefix) { return "C library" }
        if function.hasPrefix("$s") { return module(of: function.dropFirst(2), modules) }
        if runtime.contains(where: function.hasPrefix) { return "Swift runtime" }
        return function.contains("dispatch_") ? "Dispatch" : "other"
    }

    /// What programs use, and do not change.
    private static let used = Set(
        libraries.map(\.1) + ["allocation", "C library", "Swift runtime", "Swift library", "Foundation", "Dispatch"])

    /// Whether a part is one of the program's own, by its name and by the file of its functions.
    static func isOwn(_ part: String, in file: String) -> Bool {
        !used.contains(part) && !(part == "other" && file.contains(".so"))
    }

    /// Returns the modules that functions are named after.
    static func modules(of functions: some Sequence<String>) -> Set<Substring> {
        Set(functions.lazy.filter { $0.hasPrefix("$s") }.compactMap { identifier($0.dropFirst(2))?.text })
    }

    /// Returns the module in a mangled name of Swift, after its `$s`; "Swift library" for types of the standard
    /// library, among them those that another module specialises.
    private static func module(of name: Substring, _ modules: Set<Substring>) -> String {
        // `SS` is String, and `SS12ManagedStoreE` what the module ManagedStore adds to it.
        if let extending = identifier(afterType(name)), modules.contains(extending.text) { return own(extending.text) }
        return identifier(name).map { own($0.text) } ?? "Swift library"
    }

    private static func own(_ module: Substring) -> String {
        module.hasPrefix("Foundation") ? "Foundation" : String(module)
    }

    /// Returns what comes after the type at the start of a name: a short one of the standard library, as `SS`, or that
    /// of a module, as `20FoundationEssentials3URLV`.
    private static func afterType(_ name: Substring) -> Substring {
        if name.hasPrefix("S") { return name.dropFirst(2) }
        var rest = name.hasPrefix("s") ? name.dropFirst() : identifier(name)?.rest ?? name
        while let type = identifier(rest), let kind = type.rest.first, "VCOP".contains(kind) {
            rest = type.rest.dropFirst()
        }
        return rest
    }

    /// Returns the identifier that follows its length, as in `12ManagedStore`, and what comes after it.
    private static func identifier(_ text: Substring) -> (text: Substring, rest: Substring)? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let length = Int(digits), length > 0, text.count >= digits.count + length else { return nil }
        let name = text.dropFirst(digits.count)
        return (name.prefix(length), name.dropFirst(length))
    }
}

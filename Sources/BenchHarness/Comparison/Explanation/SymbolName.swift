import CSystem
import Foundation

/// The name of a function as compilers write it into a program.
struct SymbolName {
    /// The name in the program.
    let mangled: String

    /// The name in the source, as far as the runtimes of Swift and C++ can tell it.
    var readable: String { swiftName ?? cxxName ?? mangled }

    private var swiftName: String? {
        let name = text { swift_demangle(mangled, mangled.utf8.count, nil, nil, 0) }
        guard let name, name.contains(" in _") else { return name }
        // A private type or function has a number of its file in its name.
        return name.replacing(/\((\w+) in _[0-9A-F]{32}\)/) { String($0.1) }
    }

    private typealias Demangler =
        @convention(c) (
            UnsafePointer<CChar>?, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<Int>?, UnsafeMutablePointer<CInt>?
        ) -> UnsafeMutablePointer<CChar>?

    private var cxxName: String? {
        // `__cxa_demangle` takes every letter for a type otherwise.
        guard mangled.hasPrefix("_Z"), let symbol = dlsym(nil, "__cxa_demangle") else { return nil }
        let demangle = unsafeBitCast(symbol, to: Demangler.self)
        return text { demangle(mangled, nil, nil, nil) }
    }

    /// Takes over what `make` has allocated.
    private func text(_ make: () -> UnsafeMutablePointer<CChar>?) -> String? {
        guard let text = make() else { return nil }
        defer { free(text) }
        return String(cString: text)
    }
}

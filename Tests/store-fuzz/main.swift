import Foundation

/// Damages the files of stores, and proves that a store which is given one works or throws: it never traps, hangs,
/// takes all memory, or alters a file that it refuses.
private func run() throws -> Int32 {
    let options = try FuzzOptions(CommandLine.arguments)
    if let number = options.number { return try FuzzCase(options: options, number: number).run() }
    return try Fuzzer(options).run() ? 0 : 1
}

do {
    exit(try run())
} catch let mistake as FuzzOptions.Mistake {
    FileHandle.standardError.write(Data("store-fuzz: \(mistake.message)\n\(FuzzOptions.usage)\n".utf8))
    exit(2)
} catch {
    FileHandle.standardError.write(Data("Wrong: store-fuzz: \(error)\n".utf8))
    exit(FuzzCase.Code.failed)
}

#if FUZZING
    import Foundation

    /// The target that the environment names.
    private let target =
        FuzzTarget(rawValue: ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? "")
        ?? { fatalError("FUZZ_TARGET must be one of \(FuzzTarget.allCases.map(\.rawValue))") }()

    /// What libFuzzer calls with each input (llvm.org/docs/LibFuzzer.html).
    @_cdecl("LLVMFuzzerTestOneInput")
    public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
        let bytes = Array(UnsafeBufferPointer(start: start, count: count))
        if let problem = target.problem(bytes) { fatalError(problem) }
        return 0
    }
#endif

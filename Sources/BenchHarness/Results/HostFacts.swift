import CSystem
import Foundation

/// The facts about the machine; nil means unknown.
package struct HostFacts: Codable {
    package var cpuModel: String?
    package var cores = ProcessInfo.processInfo.processorCount
    /// The cores that the affinity of the process allows, such as one under `taskset -c 0`. Files of earlier versions
    /// lack it.
    var allowedCores: Int?
    /// As the time of how many cores the quota of the cgroup allows; nil without a quota.
    var quotaCores: Double?
    package var memoryBytes = ProcessInfo.processInfo.physicalMemory
    package var kernel: String?
    package var operatingSystem = ProcessInfo.processInfo.operatingSystemVersionString
    /// See ``HostIdentity``, as the next three.
    var boot: String?
    var machine: String?
    var product: String?
    var isVirtual: Bool?

    /// Asks the system.
    package init() {
        let identity = HostIdentity(
            ProcText.read, exists: FileManager.default.fileExists(atPath:))
        (boot, machine) = (identity.boot, identity.machine)
        (product, isVirtual) = (identity.product, identity.isVirtual)
        let allowed = Cores.system.allowed.count
        allowedCores = allowed > 0 ? allowed : nil
        quotaCores = CPUQuota.cores(ProcText.read)
        cpuModel = ProcText.read("/proc/cpuinfo").flatMap(Self.cpuModel)
        var names = utsname()
        guard uname(&names) == 0 else { return }
        kernel = withUnsafeBytes(of: names.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    /// How many cores can work for the process at once: all of the machine, unless something allows fewer. Nil if that
    /// is not recorded.
    package var usableCores: Double? {
        allowedCores.map { min(Double(min($0, cores)), quotaCores ?? .infinity) }
    }

    /// The cores in words: how many there are, and what allows fewer.
    package var coresText: String {
        guard let usableCores, usableCores < Double(cores) else { return "\(cores)" }
        return "\(Self.text(usableCores)) of \(cores) (\(usableCores == quotaCores ? "quota" : "affinity"))"
    }

    /// Returns a number of cores without needless decimals.
    package static func text(_ cores: Double) -> String { String(format: "%g", cores) }

    /// Returns the model of the processor in the text of `/proc/cpuinfo`; for arm64, which seldom has its name, the
    /// numbers of its maker and part.
    static func cpuModel(_ cpu: ProcText) -> String? {
        if let name = cpu.field("model name") ?? cpu.field("Model") { return name }
        guard let maker = cpu.field("CPU implementer"), let part = cpu.field("CPU part") else { return nil }
        return "arm64 \(maker) \(part)"
    }
}

/// The load of the machine at one moment.
package struct HostLoad: Codable {
    package var loadAverages: String?
    var pressureCPU: String?
    var pressureIO: String?
    var pressureMemory: String?

    init() {
        loadAverages = Self.text("/proc/loadavg")
        pressureCPU = Self.text("/proc/pressure/cpu")
        pressureIO = Self.text("/proc/pressure/io")
        pressureMemory = Self.text("/proc/pressure/memory")
    }

    private static func text(_ path: String) -> String? {
        ProcText.read(path)?.text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

/// The file system of a folder.
public struct FileSystem: Sendable, Equatable {
    /// Its name, or its magic number in hexadecimal.
    public let name: String
    /// Whether its files are in memory, so that storage costs nothing.
    public var isMemory: Bool { ["tmpfs", "ramfs"].contains(name) }
    /// The bytes that are free for this user.
    public let freeBytes: Double

    /// Reads the file system of `url`; nil if the system gives no answer.
    public init?(of url: URL) {
        #if os(Linux)
            var facts = statfs()
            guard statfs(url.path, &facts) == 0 else { return nil }
            let magic = UInt32(truncatingIfNeeded: facts.f_type)
            name = Self.names[magic] ?? "0x" + String(magic, radix: 16)
            freeBytes = Double(facts.f_bavail) * Double(facts.f_bsize)
        #else
            return nil
        #endif
    }

    /// Magic numbers of statfs(2).
    private static let names: [UInt32: String] = [
        0xEF53: "ext4", 0x0102_1994: "tmpfs", 0x8584_58F6: "ramfs", 0x5846_5342: "xfs", 0x9123_683E: "btrfs",
        0x794C_7630: "overlayfs", 0x2FC1_2FC1: "zfs", 0x6969: "nfs", 0x0102_1997: "9p", 0x6573_5546: "fuse",
        0xF2F5_2010: "f2fs",
    ]
}

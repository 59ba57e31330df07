import Foundation

/// What tells machines of the same kind apart, without naming them.
///
/// The identities of the boot and of the machine are random numbers of 128 bits, of which machine-id(5) asks to publish
/// none. Only 32 bits of a hash are recorded: enough to tell two machines apart, too few to know either.
struct HostIdentity: Equatable {
    /// Differs after each boot of the kernel, and is the same in all containers of a machine.
    var boot: String?
    /// Belongs to the installation of the operating system; nil in a container, whose image has another one, or none.
    var machine: String?
    /// The maker and the model, which of virtual machines is the hypervisor's.
    var product: String?
    /// Whether a hypervisor runs the machine.
    var isVirtual: Bool?

    /// Reads a system's files, each by its path; empty files have no text, but exist.
    init(_ read: (String) -> ProcText?, exists: (String) -> Bool) {
        boot = read("/proc/sys/kernel/random/boot_id").flatMap { Self.hash($0.text) }
        let isContainer =
            Self.containerMarks.contains(where: exists)
            || (read("/proc/1/cgroup").map { Self.isOfContainer($0.text) } ?? false)
        machine = isContainer ? nil : read("/etc/machine-id").flatMap { Self.hash($0.text) }
        let words = ["sys_vendor", "product_name"].compactMap { read("/sys/class/dmi/id/\($0)") }
            .map { $0.text.trimmingCharacters(in: .whitespacesAndNewlines) }.filter { !$0.isEmpty }
        product = words.isEmpty ? nil : String(words.joined(separator: " ").prefix(80))
        isVirtual = read("/proc/cpuinfo")?.field("flags").map { $0.split(separator: " ").contains("hypervisor") }
    }

    /// Files that Docker, Podman and systemd leave in containers.
    private static let containerMarks = ["/.dockerenv", "/run/.containerenv", "/run/systemd/container"]

    private static func isOfContainer(_ cgroup: String) -> Bool {
        ["docker", "kubepods", "containerd", "libpod", "lxc"].contains { cgroup.contains($0) }
    }

    /// Returns 32 bits of the salted hash; nil for an identity that is not one.
    static func hash(_ identity: String) -> String? {
        let digits = identity.lowercased().filter(\.isHexDigit)
        guard digits.count == 32, Set(digits).count > 1 else { return nil }
        return String(format: "%08x", UInt32(truncatingIfNeeded: "bench host \(digits)".stableHash >> 32))
    }
}

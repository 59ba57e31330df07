import Testing

@testable import BenchHarness

@Suite struct HostIdentityTests {
    private static let id = "3d1219c7c4c5404aaa1f6d2a48adfda4"

    private func identity(_ files: [String: String]) -> HostIdentity {
        HostIdentity({ path in files[path].flatMap { $0.isEmpty ? nil : ProcText(text: $0) } }) { files[$0] != nil }
    }

    @Test func onlyAPartOfAHashIsKept() throws {
        let hash = try #require(HostIdentity.hash(Self.id + "\n"))
        #expect(hash.count == 8 && !Self.id.contains(hash))
        #expect(HostIdentity.hash("3D1219C7-C4C5-404A-AA1F-6D2A48ADFDA4") == hash)
        #expect(HostIdentity.hash("4d1219c7c4c5404aaa1f6d2a48adfda4") != hash)
    }

    @Test(arguments: ["", "uninitialized", "00000000000000000000000000000000", "3d12"])
    func whatIdentifiesNothingIsUnknown(text: String) {
        #expect(HostIdentity.hash(text) == nil)
    }

    @Test func aSystemIsReadFromItsFiles() {
        let identity = identity([
            "/proc/sys/kernel/random/boot_id": "b65242ed-d7b7-4295-bc5f-318cc81a088c\n", "/etc/machine-id": Self.id,
            "/sys/class/dmi/id/sys_vendor": "QEMU\n", "/sys/class/dmi/id/product_name": "Standard PC\n",
            "/proc/cpuinfo": "processor\t: 0\nflags\t\t: fpu hypervisor sse\n",
        ])
        #expect(identity.boot != nil && identity.machine == HostIdentity.hash(Self.id))
        #expect(identity.product == "QEMU Standard PC" && identity.isVirtual == true)
    }

    @Test(arguments: [("/.dockerenv", ""), ("/proc/1/cgroup", "0::/kubepods/pod1")])
    func aContainersOwnIdentityDoesNotCount(mark: String, text: String) {
        #expect(identity(["/etc/machine-id": Self.id, mark: text]).machine == nil)
        #expect(identity(["/etc/machine-id": Self.id, "/proc/1/cgroup": "0::/init.scope"]).machine != nil)
    }

    @Test func aSystemWithoutFilesIsUnknown() {
        let identity = identity([:])
        #expect(identity.boot == nil && identity.machine == nil && identity.product == nil)
        #expect(identity.isVirtual == nil)
    }
}

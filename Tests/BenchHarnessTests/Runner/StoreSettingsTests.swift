import Testing

@testable import BenchHarness

@Suite struct StoreSettingsTests {
    private func settings(_ changed: [String: Int] = [:]) -> StoreSettings {
        let numbers = [
            "synchronous": 1, "cache_size": -2_000, "page_size": 4_096, "mmap_size": 0, "wal_autocheckpoint": 1_000,
        ]
        return StoreSettings { changed[$0] ?? numbers[$0] }
    }

    @Test func theSettingsOfTheScenarioAreNoProblem() {
        #expect(settings().problems(StoreOptions()).isEmpty)
        #expect(StoreSettings().problems(StoreOptions()).isEmpty)
    }

    @Test(arguments: [
        ("synchronous", 0, "synchronous off; expected normal"), ("cache_size", -4_000, "cache_size_kib 4000; expected"),
        ("cache_size", 1_000, "cache_size_kib 4000; expected 2000"), ("page_size", 8_192, "page_size_bytes 8192"),
        ("mmap_size", 4_096, "mmap_size_bytes 4096; expected 0"),
        ("wal_autocheckpoint", 0, "wal_autocheckpoint_pages 0; expected 1000"),
    ])
    func anotherSettingIsSaid(_ name: String, _ number: Int, _ text: String) {
        let problems = settings([name: number]).problems(StoreOptions())
        #expect(problems.contains { $0.contains(text) }, "\(problems)")
    }

    @Test func aLibraryMayMapLessThanItMayButNotNothing() {
        let options = StoreOptions(mmapSizeBytes: 1 << 40)
        #expect(settings(["mmap_size": 1 << 31]).problems(options).isEmpty)
        #expect(settings(["mmap_size": 0]).problems(options).count == 1)
    }
}

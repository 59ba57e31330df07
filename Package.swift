// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "ManagedStore",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "ManagedStore", targets: ["ManagedStore"]),
        // The harness, and above it what reads its results.
        .library(
            name: "BenchHarness",
            targets: ["BenchHarness", "BenchInstructions", "BenchPower", "BenchReport"]),
        .library(name: "BenchCommand", targets: ["BenchCommand"]),
        .library(name: "BenchDrivers", targets: ["BenchDrivers"]),
        .library(name: "DriverSupport", targets: ["DriverSupport"]),
        .library(name: "DriverConformance", targets: ["DriverConformance"]),
        .executable(name: "bench", targets: ["bench"]),
        .executable(name: "todo", targets: ["todo"]),
    ],
    targets: [
        .systemLibrary(
            name: "CSQLite",
            pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]
        ),
        .target(name: "CSystem"),
        // A file system for SQLite that counts syncs and bytes.
        .target(name: "CCountingVFS", dependencies: ["CSQLite"]),
        // Counts allocations by taking the place of the allocator's functions.
        .target(name: "CAllocations", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
        .target(name: "Locking"),
        // Waits for the end of programs.
        .target(name: "Processes"),
        // The functions of PostgreSQL's client library, bound when they are needed.
        .target(name: "CPostgres", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
        .target(name: "ManagedStore", dependencies: ["CPostgres", "CSQLite", "CSystem", "Locking"]),
        .target(name: "BenchHarness", dependencies: ["CAllocations", "CSystem", "Locking", "Processes"]),
        // The count of instructions under callgrind.
        .target(name: "BenchInstructions", dependencies: ["BenchHarness", "CSystem", "Locking"]),
        // How often comparisons err, and what they catch.
        .target(name: "BenchPower", dependencies: ["BenchHarness", "Locking"]),
        // The page of a run, and the formats of other tools.
        .target(name: "BenchReport", dependencies: ["BenchHarness"]),
        .target(name: "DriverSupport", dependencies: ["BenchHarness", "Locking"]),
        .target(
            name: "BenchDrivers",
            dependencies: [
                "BenchHarness", "CCountingVFS", "CPostgres", "CSQLite", "DriverSupport", "Locking", "ManagedStore",
            ]),
        .target(name: "DriverConformance", dependencies: ["BenchHarness"]),
        .target(
            name: "BenchCommand",
            dependencies: [
                "BenchHarness", "BenchInstructions", "BenchPower", "BenchReport", "Locking", "Processes",
            ]),
        .executableTarget(name: "bench", dependencies: ["BenchCommand", "BenchDrivers"]),
        .executableTarget(name: "todo", dependencies: ["ManagedStore"], exclude: ["README.md"]),
        .target(name: "TestSupport", dependencies: ["Locking", "Processes"], path: "Tests/TestSupport"),
        // Sessions that do what another does, for drivers that do one thing otherwise.
        .target(name: "ForwardingDriver", dependencies: ["BenchHarness"], path: "Tests/ForwardingDriver"),
        // A driver with every capability, made of what is public alone.
        .target(
            name: "MemoryDriver", dependencies: ["BenchHarness", "DriverSupport"], path: "Tests/MemoryDriver"),
        // Lets files and memory fail under SQLite.
        .target(name: "CFaultVFS", dependencies: ["CSQLite"], path: "Tests/CFaultVFS"),
        .executableTarget(
            name: "bench-slowed",
            dependencies: ["BenchCommand", "BenchDrivers", "BenchHarness", "ForwardingDriver", "Processes"],
            path: "Tests/bench-slowed"),
        // Measures the cost of the harness itself; `make instrument`.
        .target(name: "BenchInstrument", dependencies: ["BenchHarness"], path: "Tests/BenchInstrument"),
        .executableTarget(
            name: "bench-known", dependencies: ["BenchCommand", "BenchHarness", "BenchInstrument"],
            path: "Tests/bench-known"),
        // Proves what ManagedStore promises of several entities at once, with processes that are killed.
        .target(
            name: "RelationTorture",
            dependencies: ["BenchDrivers", "BenchHarness", "CSQLite", "Locking", "ManagedStore"],
            path: "Tests/RelationTorture"),
        .executableTarget(
            name: "bench-relations", dependencies: ["BenchCommand", "BenchDrivers", "RelationTorture"],
            path: "Tests/bench-relations"),
        // Measures how often `bench ab` is right; `make gate-study`.
        .target(
            name: "GateStudy",
            dependencies: [
                "BenchCommand", "BenchDrivers", "BenchHarness", "CSQLite", "ForwardingDriver", "Locking",
                "ManagedStore",
                "Processes",
            ],
            path: "Tests/GateStudy"),
        .executableTarget(
            name: "gate-study", dependencies: ["GateStudy"], path: "Tests/gate-study", exclude: ["relink"]),
        // Damages the files of stores and uses them; `make fuzz`.
        .executableTarget(
            name: "store-fuzz", dependencies: ["ManagedStore", "CSQLite", "TestSupport"], path: "Tests/store-fuzz"),
        .testTarget(
            name: "ManagedStoreTests",
            dependencies: ["ManagedStore", "CSQLite", "CFaultVFS", "Locking", "Processes", "TestSupport"]),
        .testTarget(name: "GateStudyTests", dependencies: ["BenchHarness", "GateStudy", "TestSupport", "gate-study"]),
        .testTarget(
            name: "RelationTortureTests",
            dependencies: ["BenchDrivers", "BenchHarness", "CSQLite", "RelationTorture", "TestSupport"]),
        .testTarget(name: "StoreFuzzTests", dependencies: ["store-fuzz", "Processes", "TestSupport"]),
        .testTarget(
            name: "BenchHarnessTests",
            dependencies: [
                "BenchHarness", "BenchInstructions", "BenchInstrument", "BenchPower", "BenchReport", "Locking",
                "Processes", "TestSupport",
            ]),
        .testTarget(
            name: "BenchDriversTests",
            dependencies: [
                "BenchDrivers", "BenchHarness", "CSQLite", "DriverConformance", "DriverSupport", "ForwardingDriver",
                "Locking", "MemoryDriver", "Processes", "TestSupport",
            ]),
        .testTarget(
            name: "BenchCommandTests",
            dependencies: [
                "BenchCommand", "BenchDrivers", "BenchHarness", "bench", "bench-known", "bench-relations",
                "bench-slowed", "Processes", "TestSupport",
            ],
            exclude: ["Fixtures"]),
        // What the documentation shows, compiled and run.
        .testTarget(
            name: "SnippetTests",
            dependencies: [
                "ManagedStore", "BenchHarness", "BenchReport", "BenchDrivers", "BenchCommand", "DriverConformance",
                "DriverSupport", "Locking", "TestSupport",
            ]),
        .testTarget(name: "TodoTests", dependencies: ["todo", "Processes", "TestSupport"]),
    ],
    swiftLanguageModes: [.v6]
)

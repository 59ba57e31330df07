// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "Peers",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "ManagedStore", path: ".."),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        .systemLibrary(
            name: "CLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]),
        .target(
            name: "PeerDrivers",
            dependencies: [
                "CLMDB",
                .product(name: "BenchDrivers", package: "ManagedStore"),
                .product(name: "BenchHarness", package: "ManagedStore"),
                .product(name: "DriverSupport", package: "ManagedStore"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]),
        .executableTarget(
            name: "peer-bench",
            dependencies: [
                "PeerDrivers",
                .product(name: "BenchCommand", package: "ManagedStore"),
                .product(name: "BenchDrivers", package: "ManagedStore"),
            ]),
        .testTarget(
            name: "PeerDriversTests",
            dependencies: [
                "CLMDB",
                "PeerDrivers",
                .product(name: "BenchDrivers", package: "ManagedStore"),
                .product(name: "BenchCommand", package: "ManagedStore"),
                .product(name: "BenchHarness", package: "ManagedStore"),
                .product(name: "DriverConformance", package: "ManagedStore"),
                .product(name: "DriverSupport", package: "ManagedStore"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)

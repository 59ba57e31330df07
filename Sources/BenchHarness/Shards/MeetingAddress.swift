import Foundation

/// Where the shards of a load meet.
public enum MeetingAddress: Sendable, Equatable, Codable {
    /// The path of a folder that all shards see.
    case folder(String)
    /// The server of the drivers' stores, with the name of a run, which tells its messages from those of others.
    case server(run: String)

    /// What the text of a server begins with.
    private static let scheme = "store"
    /// The most characters of the name of a run.
    public static let longestName = 40

    /// Reads `store:NAME`, or the path of a folder. Nil if the name is none; the folder `store` is `./store`.
    public init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts[0] == Self.scheme else {
            self = .folder(URL(fileURLWithPath: text, isDirectory: true).path)
            return
        }
        guard parts.count == 2, (1...Self.longestName).contains(parts[1].count),
            parts[1].utf8.allSatisfy(\.isInFileNames)
        else { return nil }
        self = .server(run: String(parts[1]))
    }

    /// Opens the place for a driver of the load.
    func place(of driver: any StoreDriver) throws -> any MeetingPlace {
        switch self {
        case .folder(let path): return try FolderMeetingPlace(URL(fileURLWithPath: path, isDirectory: true))
        case .server(let run):
            guard let place = try driver.server?.meetingPlace(ofRun: run) else {
                throw RunError(
                    .meeting, "\(driver.name) has no server on which processes can meet; let them meet in a folder")
            }
            return place
        }
    }

    /// Opens the place for all drivers of a run, which must have it in common.
    func place(of drivers: [any StoreDriver]) throws -> any MeetingPlace {
        guard let first = drivers.first else {
            throw RunError(.meeting, "no driver can run here; choose one with --driver")
        }
        let place = try place(of: first)
        for driver in drivers.dropFirst() where try self.place(of: driver).name != place.name {
            throw RunError(
                .meeting,
                "\(first.name) and \(driver.name) have different servers; choose one with --driver, or let the processes "
                    + "meet in a folder")
        }
        return place
    }
}

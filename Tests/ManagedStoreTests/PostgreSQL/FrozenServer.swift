import Dispatch
import Foundation
import Locking
import TestSupport
import Testing

@testable import ManagedStore

/// The tests' server, seen through a proxy that can stop as a frozen server does.
struct FrozenServer {
    let proxy: ServerProxy
    /// The URL of an empty store, through the proxy and not.
    let (url, direct): (URL, URL)

    init() throws {
        let server = try #require(PostgreSQLServer.current)
        proxy = try ServerProxy(server)
        direct = try TestSchema.make()
        url = try #require(
            URL(string: direct.absoluteString.replacing(server.socketFolder, with: proxy.folder.path)))
    }

    /// Much longer than any wait may take here, in seconds.
    private static let forever = 300.0

    /// Calls `body`, during which the server may freeze: at once, or at a moment that the proxy waits for. A wait
    /// without a bound is reported, and ends.
    func whileFrozen<Result>(
        at moment: ServerProxy.Moment? = nil, sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () throws -> Result
    ) throws -> Result {
        let end = freeze(at: moment, sourceLocation)
        defer { end() }
        return try body()
    }

    func whileFrozen<Result>(
        sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Result
    ) async throws -> Result {
        let end = freeze(at: nil, sourceLocation)
        defer { end() }
        return try await body()
    }

    /// Returns what thaws the server.
    private func freeze(at moment: ServerProxy.Moment?, _ sourceLocation: SourceLocation) -> () -> Void {
        let (over, isTooLong, proxy) = (DispatchSemaphore(value: 0), Locked(false), proxy)
        proxy.holdsBack.exchange(false)
        if let moment {
            proxy.hold(at: moment) { proxy.isFrozen.exchange(true) }
        } else {
            proxy.isFrozen.exchange(true)
        }
        Thread.detachNewThread {
            guard over.wait(timeout: .now() + Self.forever) == .timedOut else { return }
            isTooLong.exchange(true)
            proxy.isFrozen.exchange(false)
        }
        return {
            over.signal()
            proxy.isFrozen.exchange(false)
            #expect(!isTooLong.value, "the wait has no bound", sourceLocation: sourceLocation)
        }
    }
}

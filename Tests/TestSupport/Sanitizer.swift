import Foundation

/// The sanitizer that the tests are built with, as `make test SANITIZE=address` says it.
public enum Sanitizer {
    /// Whether there is one.
    public static let isOn = ProcessInfo.processInfo.environment["SANITIZE"] != nil
    /// Whether the address sanitizer is at work: it reserves terabytes of addresses, and allocates in its own way.
    public static let watchesAddresses = ProcessInfo.processInfo.environment["SANITIZE"] == "address"
}

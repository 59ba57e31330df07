import Foundation

extension Error {
    /// The reason in words. Foundation describes an error of a file by its whole dictionary, over many lines; this is
    /// the system's reason in it, such as "No space left on device".
    var reason: String {
        let known = self as NSError
        let cause = (known.userInfo[NSUnderlyingErrorKey] as? any Error).map { $0 as NSError } ?? known
        guard cause.domain == NSPOSIXErrorDomain else { return "\(self)" }
        return String(cString: strerror(Int32(cause.code)))
    }
}

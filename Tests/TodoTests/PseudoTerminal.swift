import Foundation

#if os(Linux)
    /// A terminal for a program to write to.
    struct PseudoTerminal {
        let programsEnd: FileHandle
        private let ourEnd: Int32

        // `TIOCSPTLCK` and `TIOCGPTN` of asm/ioctls.h, macros that Swift does not see; nor does it see `posix_openpt`.
        private static let unlock: UInt = 0x4004_5431
        private static let number: UInt = 0x8004_5430

        init() throws {
            ourEnd = open("/dev/ptmx", O_RDWR | O_NOCTTY)
            var (locked, number): (Int32, Int32) = (0, 0)
            guard ourEnd >= 0, ioctl(ourEnd, Self.unlock, &locked) == 0, ioctl(ourEnd, Self.number, &number) == 0 else {
                throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
            }
            let descriptor = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
            programsEnd = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        }

        /// Everything that programs write, until the last of them has ended.
        func readToEnd() -> String {
            try? programsEnd.close()
            var bytes: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 4096)
            while case let count = read(ourEnd, &buffer, buffer.count), count > 0 { bytes += buffer[..<count] }
            close(ourEnd)
            return String(decoding: bytes, as: UTF8.self)
        }
    }
#endif

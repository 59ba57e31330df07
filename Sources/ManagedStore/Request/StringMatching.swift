import CSystem
import Foundation

/// Where a string can occur in another.
enum StringPlace: Sendable, CaseIterable {
    case anywhere, beginning, end
}

/// Finds strings in others by their bytes. Both the SQL functions and the in-memory evaluation call it.
enum StringMatching {
    static func finds(_ needle: UnsafeRawBufferPointer, _ place: StringPlace, of text: UnsafeRawBufferPointer) -> Bool {
        guard let wanted = needle.baseAddress, needle.count > 0 else { return true }
        guard let start = text.baseAddress, text.count >= needle.count else { return false }
        return switch place {
        case .anywhere: memmem(start, text.count, wanted, needle.count) != nil
        case .beginning: memcmp(start, wanted, needle.count) == 0
        case .end: memcmp(start + (text.count - needle.count), wanted, needle.count) == 0
        }
    }
}

import CSystem
import Foundation

/// Matches strings by their bytes; the SQL functions and the in-memory evaluation both call it.
enum StringMatching {
    static func matches(_ haystack: UnsafeRawBufferPointer, _ match: FetchPredicate.StringMatch, _ needle: String)
        -> Bool
    {
        var needle = needle
        return needle.withUTF8 { matches(haystack, match, UnsafeRawBufferPointer($0)) }
    }

    static func matches(
        _ haystack: UnsafeRawBufferPointer, _ match: FetchPredicate.StringMatch, _ needle: UnsafeRawBufferPointer
    ) -> Bool {
        guard let start = needle.baseAddress, needle.count > 0 else {
            return match != .matchesWhole || haystack.isEmpty
        }
        guard let text = haystack.baseAddress, haystack.count >= needle.count else { return false }
        switch match {
        case .contains: return memmem(text, haystack.count, start, needle.count) != nil
        case .beginsWith: return memcmp(text, start, needle.count) == 0
        case .endsWith: return memcmp(text + (haystack.count - needle.count), start, needle.count) == 0
        case .matchesWhole: return haystack.isEqual(to: needle)
        }
    }
}

/// Folds case so that strings which differ in it alone become equal.
enum CaseFolding {
    /// The folded form of `text`, by Unicode's case folding.
    static func fold(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
        return text.folding(options: .caseInsensitive, locale: nil)
    }

    /// Calls `body` with the folded form of UTF-8 `bytes`.
    static func withFolded<Result>(
        _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        var folded = fold(String(decoding: bytes, as: UTF8.self))
        return folded.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }
}

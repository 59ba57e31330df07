import TestSupport
import Testing

@testable import ManagedStore

@Suite struct AddedReferencesTests {
    /// Against a plain array.
    @Test(arguments: [4, 12, 400]) func theyKeepTheirOrder(_ range: Int64) {
        var (added, expected) = (AddedReferences(), [ObjectReference]())
        var random = SeededGenerator(seed: UInt64(range))
        for step in 0..<5_000 {
            let reference = ObjectReference(entity: 0, key: Int64.random(in: 1...range, using: &random))
            #expect(added.contains(reference) == expected.contains(reference))
            if let place = expected.firstIndex(of: reference) {
                expected.remove(at: place)
                let wasThere = added.remove(reference)
                #expect(wasThere)
            } else {
                let wasThere = added.remove(reference)
                #expect(!wasThere)
                added.append(reference)
                expected.append(reference)
            }
            if step % 500 == 0 {
                added.rename { ObjectReference(entity: 0, key: range + 1 - $0.key) }
                expected = expected.map { ObjectReference(entity: 0, key: range + 1 - $0.key) }
            }
            if step % 50 == 0 { added._checkInvariants() }
            #expect(added.isEmpty == expected.isEmpty)
        }
        #expect(added.all == expected)
        added.removeAll()
        #expect(added.isEmpty && added.all.isEmpty)
    }
}

import Foundation
import ManagedStore
import Testing

@Suite struct AttributeTests {
    /// Saves `change` to one object, and hands over what another context reads.
    private func roundTrip(_ backend: Backend, _ change: (Everything) -> Void) throws -> Everything {
        let store = try TestStore(backend)
        let context = store.context()
        let object = Everything("", in: context)
        change(object)
        try context.save()
        let other = store.context()
        let read = try #require(try other.existingObject(with: object.objectID) as? Everything)
        // A context must live as long as its faults are fired; the values are loaded now.
        return withExtendedLifetime(other) { read }
    }

    @Test(arguments: Backend.all) func defaultsAreThereFromTheStart(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let object = Everything(context: store.context())
        #expect(object.defaultText == "none")
        #expect(object.defaultFlag)
        #expect(object.defaultMoment == Everything.defaultDate)
        #expect(object.defaultNumber == -7)
        #expect(object.defaultReal == 2.5)
        #expect(object.defaultBytes == Data([1, 0, 255]))
    }

    @Test(arguments: Backend.all) func requiredValuesReadAsZeroUntilTheyAreSet(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let context = store.context()
        let object = Everything(context: context)
        #expect(object.text == "" && object.number == 0 && object.real == 0 && !object.flag && object.bytes.isEmpty)
        #expect(try object.value(forKey: "text") == nil)
    }

    @Test(arguments: Backend.all) func optionalValuesAreNilUntilTheyAreSet(_ backend: Backend) throws {
        let read = try roundTrip(backend) { _ in }
        #expect(read.optionalText == nil && read.optionalFlag == nil && read.optionalMoment == nil)
        #expect(read.optionalNumber == nil && read.optionalReal == nil && read.optionalBytes == nil)
    }

    @Test(arguments: Backend.all, ["", "a", "Straße 🇩🇪", "nul\0byte\0", String(repeating: "x", count: 100_000)])
    func stringsSurvive(_ backend: Backend, _ text: String) throws {
        let text = backend.storable(text)
        let read = try roundTrip(backend) { ($0.text, $0.optionalText) = (text, text) }
        #expect(read.text.utf8.elementsEqual(text.utf8))
        #expect(read.optionalText.map { $0.utf8.elementsEqual(text.utf8) } == true)
    }

    @Test(arguments: Backend.all, [Data(), Data([0]), Data([0, 255, 0]), Data(count: 300_000)])
    func dataSurvives(_ backend: Backend, _ bytes: Data) throws {
        let read = try roundTrip(backend) { ($0.bytes, $0.optionalBytes) = (bytes, bytes) }
        #expect(read.bytes == bytes)
        #expect(read.optionalBytes == bytes)
    }

    @Test(arguments: Backend.all, [0, 1, -1, Int64.min, .max, 1 << 53 + 1])
    func integersSurvive(_ backend: Backend, _ number: Int64) throws {
        let read = try roundTrip(backend) { ($0.number, $0.optionalNumber) = (number, number) }
        #expect(read.number == number && read.optionalNumber == number)
    }

    @Test(
        arguments: Backend.all,
        [0, Double.leastNonzeroMagnitude, -1.5, 1e300, .infinity, -.infinity, 12_345_678.9])
    func doublesAndDatesSurvive(_ backend: Backend, _ value: Double) throws {
        let date = Date(timeIntervalSinceReferenceDate: value)
        let read = try roundTrip(backend) {
            ($0.real, $0.optionalReal, $0.moment, $0.optionalMoment) = (value, value, date, date)
        }
        #expect(read.real == value && read.optionalReal == value)
        #expect(read.moment == date && read.optionalMoment == date)
    }

    @Test(arguments: Backend.all, [true, false]) func boolsSurvive(_ backend: Backend, _ flag: Bool) throws {
        let read = try roundTrip(backend) { ($0.flag, $0.optionalFlag) = (flag, flag) }
        #expect(read.flag == flag && read.optionalFlag == flag)
    }

    @Test(arguments: Backend.all) func anOptionalValueCanBeSetBackToNil(_ backend: Backend) throws {
        let read = try roundTrip(backend) { object in
            object.optionalText = "here"
            object.optionalNumber = 4
            try? object.managedObjectContext?.save()
            object.optionalText = nil
            object.optionalNumber = nil
        }
        #expect(read.optionalText == nil && read.optionalNumber == nil)
    }
}

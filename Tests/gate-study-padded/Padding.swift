/// Code that is never run, which the compiler cannot know.
enum Padding {
    static var all: [Double] { (0..<24).map { sum(of: Array(repeating: Double($0), count: $0), kind: $0) } }

    @inline(never) private static func sum(of values: [Double], kind: Int) -> Double {
        switch kind % 8 {
        case 0: values.reduce(0, +)
        case 1: values.reduce(1, *)
        case 2: values.map { $0 * $0 }.reduce(0, +).squareRoot()
        case 3: values.sorted(by: >).dropLast(values.count / 2).reduce(0, -)
        case 4: values.enumerated().reduce(0) { $0 + Double($1.offset) * $1.element }
        case 5: values.reversed().reduce(0.5) { $0 / 2 + $1 }
        case 6: Double(values.map(\.description).joined(separator: "+").utf8.count)
        default: zip(values, values.dropFirst()).reduce(0) { max($0, $1.1 - $1.0) }
        }
    }
}

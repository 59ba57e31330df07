import Foundation
import Testing

@testable import ManagedStore

/// The expressions of batch updates within expressions.
@Suite struct DeepExpressionTests {
    /// `0 + number + number + ...`, and `number - (number - (...))`.
    @Test(arguments: Backend.allCases) func expressionsNestAndAreLong(_ backend: Backend) throws {
        try onSmallStack {
            let context = try TestStore(backend).context()
            let object = Everything("", 3, in: context)
            try context.save()
            let number = BatchExpression.attribute("number")
            let sum = (1...500).reduce(number) { sum, _ in sum + number }
            let nested = (1...16).reduce(number) { nested, _ in number - nested }
            let turns = (1...20).reduce(number) { turns, level in level % 2 == 0 ? (turns + 1) * 2 : turns - 1 }
            let flag = (1...14).reduce(BatchExpression.attribute("flag")) { flag, _ in !flag }
            let all: [(BatchExpression, Int64)] = [(sum, 1_503), (nested, 3), (turns, 3_072)]
            for (expression, expected) in all {
                try context.performUpdate(["number": expression, "flag": flag])
                try context.refresh(object, mergeChanges: false)
                #expect(object.number == expected && !object.flag)
                try context.performUpdate(["number": 3])
            }
        }
    }

    @Test(arguments: Backend.allCases, [1_000, 100_000])
    func longerAndDeeperExpressionsAreRefused(_ backend: Backend, _ depth: Int) throws {
        try onSmallStack {
            let context = try TestStore(backend).context()
            let number = BatchExpression.attribute("number")
            let sum = (1...depth).reduce(number) { sum, _ in sum + number }
            let nested = (1...depth).reduce(number) { nested, _ in number - nested }
            let flag = (1...depth).reduce(BatchExpression.attribute("flag")) { flag, _ in !flag }
            let long = expectError(.invalidRequest) { try context.performUpdate(["number": sum]) }
            #expect(long?.message.contains("\(depth) operations; the limit is 500") == true)
            for (key, expression, levels) in [("number", nested, depth - 1), ("flag", flag, depth)] {
                let deep = expectError(.invalidRequest) { try context.performUpdate([key: expression]) }
                #expect(deep?.message.contains("Everything.\(key) is nested \(levels) deep; the limit is 15") == true)
            }
        }
    }
}

extension ManagedObjectContext {
    fileprivate func performUpdate(_ properties: [String: BatchExpression]) throws {
        _ = try execute(BatchUpdateRequest(Everything.self, set: properties))
    }
}

import Foundation
import TestSupport
import Testing

@testable import BenchCommand

@Suite(.enabled(if: Python.hasYAML, "Python's module yaml is not installed: pip install PyYAML"))
struct YAMLTextTests {
    /// Returns what a reader of YAML finds in a document.
    private func read(_ document: String) throws -> Any {
        let directory = try TemporaryDirectory()
        let file = directory.file("a.yaml")
        try Data(document.utf8).write(to: file)
        let outcome = try Script.run(
            "/usr/bin/env",
            ["python3", "-c", "import json, sys, yaml; json.dump(yaml.safe_load(open(sys.argv[1], 'rb')), sys.stdout)"]
                + [file.path])
        return try JSONSerialization.jsonObject(with: Data(outcome.output.utf8), options: .fragmentsAllowed)
    }

    private static let texts =
        ShellTextTests.hostile + [
            "\n", "\n\n", "a\n", "  a\n b\n", "\n  a\n\n\n", "a: b\n- c\n# d\n", "---\n", "a\tb\n", "\ta\n", " \n",
            "key: |\n",
            "\u{FEFF}a\n", "{ \"a\": 1 }\n", "%TAG\n", "a \n", "\u{85}\n",
        ]

    @Test(arguments: texts) func aTextIsReadAsItWas(text: String) throws {
        let read =
            try read("a: \(YAMLText.quoted(text))\nb: \(YAMLText.block(text, indent: 2))\nc: 1\n") as? [String: Any]
        #expect((read?["a"] as? String)?.utf8.elementsEqual(text.utf8) == true)
        #expect((read?["b"] as? String)?.utf8.elementsEqual(text.utf8) == true)
        #expect(read?["c"] as? Int == 1)
    }
}

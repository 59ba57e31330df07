import BenchHarness
import Testing

@Suite struct StoreAddressTests {
    @Test(arguments: [
        ("postgresql://ann:secret@host:5432/items", "postgresql://ann:***@host:5432/items"),
        ("postgres://ann:p%40ss@[::1]/items?a=b", "postgres://ann:***@[::1]/items?a=b"),
        ("postgresql://ann:se:c@ret@host/items", "postgresql://ann:***@host/items"),
        ("postgresql:///items?password=secret&user=ann", "postgresql:///items?password=***&user=ann"),
        ("postgresql:///items?user=ann&sslpassword=secret", "postgresql:///items?user=ann&sslpassword=***"),
        ("postgresql://ann@host/items", "postgresql://ann@host/items"),
        ("--driver", "--driver"), ("a:b@c", "a:b@c"), ("", ""),
    ])
    func passwordsAreLeftOut(text: String, redacted: String) {
        #expect(StoreAddress.redacted(text) == redacted)
        #expect(StoreAddress.redacted("cannot reach \(text) now") == "cannot reach \(redacted) now")
    }

    @Test(arguments: ["", "items", "/items", "localhost:5432", "postgresql:items", "://host", "pass word://x"])
    func whatIsNoURLIsRefused(_ text: String) throws {
        let error = #expect(throws: RunError.self) { try StoreAddress.choose(text) }
        #expect("\(try #require(error))".contains("expected a URL, such as postgresql://localhost/bench"))
    }
}

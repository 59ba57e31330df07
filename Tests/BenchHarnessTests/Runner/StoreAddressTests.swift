import BenchHarness
import Testing

@Suite struct StoreAddressTests {
    @Test(arguments: [
        ("postgresql://ann:secret@host:5432/items", "postgresql://ann:***@host:5432/items"),
        ("postgres://ann:p%40ss@[::1]/items?a=b", "postgres://ann:***@[::1]/items?a=b"),
        ("postgresql://ann:se:c@ret@host/items", "postgresql://ann:***@host/items"),
        ("postgresql:///items?password=secret&user=ann", "postgresql:///items?password=***&user=ann"),
        ("postgresql:///items?user=ann&sslpassword=secret", "postgresql:///items?user=ann&sslpassword=***"),
        ("postgresql://ann:se/cr@t@host/items", "postgresql://ann:***@host/items"),
        ("host=db password=secret user=ann", "host=db password=*** user=ann"),
        ("postgresql:///items?scram_client_key=secret", "postgresql:///items?scram_client_key=***"),
        ("postgresql://ann@host/items", "postgresql://ann@host/items"),
        ("--driver", "--driver"), ("a:b@c", "a:b@c"), ("", ""),
    ])
    func passwordsAreLeftOut(text: String, redacted: String) {
        #expect(StoreAddress.redacted(text) == redacted)
        #expect(StoreAddress.redacted("cannot reach \(text) now") == "cannot reach \(redacted) now")
    }

    @Test(arguments: [
        "", "items", "/items", "localhost:5432", "postgresql:items", "://host", "mysql://ann:hunter2@host/items",
        "postgresql://ann:hun/ter2@host/items", "host=db password=hunter2",
    ])
    func whatIsNoURLIsRefused(_ text: String) throws {
        let error = #expect(throws: RunError.self) { try StoreAddress.choose(text) }
        let message = "\(try #require(error))"
        #expect(message.contains("expected a URL, such as postgresql://localhost/bench"))
        #expect(!message.contains("hunter2") && !message.contains("ter2"))
    }
}

import Testing

@testable import BenchHarness

/// What must be in a store of several entities, held against the plainest computation.
@Suite struct ExpectedEntitiesTests {
    private let store: ExpectedStore

    init() throws { store = try EntitiesFixture.seeded() }

    private func records(_ store: ExpectedStore) -> [[FieldValue]] {
        var records: [[FieldValue]] = []
        store.forEachRecord { record, ordinal in records.append(record + [.int64(Int64(ordinal) + 1)]) }
        return records
    }

    private func digest(_ records: some Sequence<[FieldValue]>) -> RecordDigest {
        var digester = RecordDigester()
        for record in records { digester.addRecord(record) }
        return digester.digest
    }

    @Test func theStoreHoldsTheRecordsOfEveryEntity() {
        let lines = store.focused(on: "Line")
        let others = ["Order", "Customer", "Product"].flatMap { records(store.focused(on: $0)) }
        #expect(lines.digestOfAll().count == 131)
        let all = digest(records(lines).map { $0.dropLast() } + others)
        #expect(lines.digestOfAll().unordered == all.unordered)
        #expect(lines.focused(on: "Order").digestOfAll() == store.digestOfAll())
    }

    @Test func aDeletionTakesWhatBelongsToTheRecords() {
        var customers = store.focused(on: "Customer")
        let work = DeleteWork(mode: .perObject, filter: .compare(key: "name", .equal, .string("Customer 2")))
        let scenario = Scenario(name: "shop", records: 4, entity: customers.generator.entity, phases: [])
        #expect(work.apply(to: &customers, (), scenario) == 1)
        let gone = Set(records(store).filter { $0[2] == .int64(3) }.map { $0[3] })
        let orders = customers.focused(on: "Order")
        #expect(!gone.isEmpty && records(orders).count == 30 - gone.count)
        let lines = records(store.focused(on: "Line")).filter { !gone.contains($0[1]) }
        #expect(records(orders.focused(on: "Line")) == lines)
        #expect(records(orders.focused(on: "Product")).count == 7)
        #expect(orders.digestOfAll().count == 3 + 30 - gone.count + lines.count + 7)
    }

    /// Null counts for what leads nowhere, in filters and in orders.
    @Test func whatLedToADeletedRecordLeadsNowhere() {
        var products = store.focused(on: "Product")
        let work = DeleteWork(mode: .perObject, filter: .compare(key: "stock", .equal, .int64(2)))
        let scenario = Scenario(name: "shop", records: 7, entity: products.generator.entity, phases: [])
        #expect(work.apply(to: &products, (), scenario) == 1)
        let before = records(store.focused(on: "Line"))
        let lines = products.focused(on: "Line")
        let found = records(lines)
        #expect(found == before.map { $0[2] == .int64(3) ? [$0[0], $0[1], .null, $0[3]] : $0 })
        let lost = found.count { $0[2] == .null }
        #expect(lost > 0 && lines.count(matching: .compare(key: "product.stock", .equal, .null)) == lost)
        let others = lines.count(matching: .compare(key: "product.stock", .notEqual, .int64(4)))
        #expect(others == found.count { $0[2] != .int64(5) })
        #expect(lines.count(matching: .compare(key: "product.stock", .less, .int64(9))) == 90 - lost)
    }

    @Test func aFilterSeesWhatAnotherEntityHoldsNow() {
        var products = store.focused(on: "Product")
        products.apply(
            UpdateWork(
                mode: .batch, set: [AttributeChange(attribute: "stock", operation: .assign(.int64(1_000)))],
                filter: .compare(key: "stock", .equal, .int64(4))))
        let lines = products.focused(on: "Line")
        let filter = FilterSpec.compare(key: "product.stock", .greater, .int64(900))
        let wanted = records(lines).count { $0[2] == .int64(5) }
        #expect(lines.count(matching: filter) == wanted && store.focused(on: "Line").count(matching: filter) == 0)
    }

    @Test func aRelationshipIsFollowedFromEitherEnd() {
        let lines = store.focused(on: "Line")
        let (orders, sales) = (records(store), records(lines))
        let followed = sales.map { $0.dropLast() + orders[number($0[1]) - 1].prefix(2) }
        expect(
            lines, FetchWork(mode: .sync, follow: FollowSpec(relationship: "order", prefetch: true)),
            followed.map(Array.init))
        let sort = [SortSpec(key: "number", ascending: false)]
        let fetch = FetchWork(
            mode: .sync, sort: sort, limit: 3, follow: FollowSpec(relationship: "lines", prefetch: false))
        let newest = orders.suffix(3).reversed().map { order in
            let members = digest(sales.filter { $0[1] == order[3] }.map { $0.dropLast() })
            return order + [.int64(Int64(members.count)), .int64(Int64(bitPattern: members.unordered))]
        }
        expect(store, fetch, newest)
    }

    @Test func aRelationshipToManyIsFollowedFromEitherEnd() throws {
        let store = try EntitiesFixture.seeded(entities: EntitiesFixture.tagged)
        let (products, tags) = (store.focused(on: "Product"), store.focused(on: "Tag"))
        let links = records(products).map { products.generator.links(0, number($0[1]) - 1) }
        let follow = { FetchWork(mode: .sync, follow: FollowSpec(relationship: $0, prefetch: false)) }
        let tagged = zip(records(products), links).map { product, links in
            product + members(links.map { [.string("Tag \($0 - 1)")] })
        }
        expect(products, follow("tags"), tagged)
        let used = records(tags).map { tag in
            tag + members(zip(records(products), links).filter { $1.contains(Int64(number(tag[1]))) }.map { [$0.0[0]] })
        }
        expect(tags, follow("products"), used)
    }

    /// Each record leads to an earlier one of its entity, and goes with it.
    @Test func aDeletionTakesWhatLeadsToItsRecordsInTheSameEntity() throws {
        let entities = EntitiesFixture.entities.replacingOccurrences(
            of: #"{ "name": "order","#,
            with: """
                { "name": "after", "to": "Line", "inverse": "before", "delete_rule": "cascade" }, { "name": "order",
                """)
        var lines = try EntitiesFixture.seeded(entities: entities).focused(on: "Line")
        var gone: Set<FieldValue> = [.int64(41)]
        let all = records(lines)
        for line in all where gone.contains(line[1]) { gone.insert(line[4]) }
        #expect(gone.count > 1)
        #expect(delete(40, from: &lines))
        #expect(records(lines) == all.filter { !gone.contains($0[4]) })
    }

    /// One that is deleted as well denies nothing.
    @Test func aDeletionIsDeniedWhileARecordStaysThatLeadsToADeletedOne() throws {
        let entities = EntitiesFixture.entities.replacingOccurrences(
            of: #""inverse": "lines", "delete_rule": "cascade""#, with: #""inverse": "lines", "delete_rule": "deny""#)
        let store = try EntitiesFixture.seeded(entities: entities)
        let led = Set(records(store.focused(on: "Line")).map { number($0[1]) })
        let (taken, free) = (led.min() ?? 0, (1...30).first { !led.contains($0) } ?? 0)
        for (order, isDeleted) in [(taken, false), (free, true)] {
            var orders = store
            #expect(delete(order - 1, from: &orders) == isDeleted)
            #expect(records(orders) == records(store).filter { !isDeleted || number($0[3]) != free })
        }
        // The orders go with their customers, and the lines deny that.
        var customers = store.focused(on: "Customer")
        let before = customers.digestOfAll()
        #expect(!delete(0, from: &customers))
        #expect(customers.digestOfAll() == before)
        var emptied = store.focused(on: "Line")
        for ordinal in 0..<90 { #expect(delete(ordinal, from: &emptied)) }
        customers = emptied.focused(on: "Customer")
        #expect(delete(0, from: &customers) && records(customers).count == 3)
    }

    private func delete(_ ordinal: Int, from store: inout ExpectedStore) -> Bool {
        store.delete(by: ExpectedRecord(ordinal: ordinal))
    }

    @Test func anOrderIsThatInWhichRecordsWereMade() throws {
        let entities = EntitiesFixture.entities.replacingOccurrences(
            of: #""inverse": "lines","#, with: #""inverse": "lines", "ordered": true,"#)
        let store = try EntitiesFixture.seeded(entities: entities)
        let lines = records(store.focused(on: "Line"))
        let groups = Dictionary(grouping: lines) { $0[1] }
        let orders = groups.map { [.string("lines"), $0] + $1.map { $0[3] } }
        #expect(store.ordersDigest().unordered == digest(orders).unordered)
        #expect(store.ordersDigest().count == groups.count)
        let reversed = groups.map { [.string("lines"), $0] + $1.reversed().map { $0[3] } }
        #expect(store.ordersDigest().unordered != digest(reversed).unordered)
        let fetch = FetchWork(mode: .sync, follow: FollowSpec(relationship: "lines", prefetch: true))
        let followed = records(store).map { order in
            let digest = digest((groups[order[3]] ?? []).map { $0.dropLast() })
            return order + [.int64(Int64(digest.count)), .int64(Int64(bitPattern: digest.ordered))]
        }
        expect(store, fetch, followed)
    }

    @Test func aFilterFindsWhatLeadsToOneThatMeetsIt() throws {
        let store = try EntitiesFixture.seeded(entities: EntitiesFixture.tagged)
        let quantity = FilterSpec.compare(key: "quantity", .greater, .int64(7))
        let large = Set(records(store.focused(on: "Line")).filter { number($0[0]) > 7 }.map { $0[1] })
        #expect((1..<30).contains(large.count))
        let any = FilterSpec.any(relationship: "lines", quantity)
        #expect(store.count(matching: any) == large.count && store.count(matching: .not(any)) == 30 - large.count)
        let products = store.focused(on: "Product")
        let tag = FilterSpec.any(relationship: "tags", .compare(key: "name", .equal, .string("Tag 2")))
        let tagged = (0..<7).filter { products.generator.links(0, $0).contains(3) }
        #expect(products.count(matching: tag) == tagged.count && (1..<7).contains(tagged.count))
        let stock = FilterSpec.any(relationship: "products", .compare(key: "stock", .equal, .int64(Int64(tagged[0]))))
        let count = products.generator.links(0, tagged[0]).count
        #expect(products.focused(on: "Tag").count(matching: stock) == count)
    }

    /// A pair is part of the store as long as both of its records are.
    @Test func aDeletedRecordIsInNoPair() throws {
        var tags = try EntitiesFixture.seeded(entities: EntitiesFixture.tagged).focused(on: "Tag")
        let generator = tags.focused(on: "Product").generator
        let pairs = (0..<7).flatMap { product in generator.links(0, product).map { (Int64(product) + 1, $0) } }
        func digest(_ pairs: [(Int64, Int64)]) -> UInt64 {
            self.digest(pairs.map { [.string("tags"), .int64($0), .int64($1)] }).unordered
        }
        #expect(tags.linksDigest().unordered == digest(pairs) && tags.linksDigest().count == pairs.count)
        let scenario = Scenario(name: "shop", records: 5, entity: tags.generator.entity, phases: [])
        let work = DeleteWork(mode: .perObject, filter: .compare(key: "name", .equal, .string("Tag 3")))
        #expect(work.apply(to: &tags, (), scenario) == 1)
        #expect(tags.linksDigest().unordered == digest(pairs.filter { $0.1 != 4 }))
        #expect(tags.digestOfAll().count == 131 + 4 + pairs.count { $0.1 != 4 })
    }

    /// The condition is that before the update, and a link that is there stays one.
    @Test func linksAreThoseThatUpdatesLeft() throws {
        var products = try EntitiesFixture.seeded(entities: EntitiesFixture.tagged).focused(on: "Product")
        let first = (0..<7).map { products.generator.links(0, $0) }
        let tag = FilterSpec.any(relationship: "tags", .compare(key: "name", .equal, .string("Tag 1")))
        let (link, unlink) = (
            LinkChange(relationship: "tags", number: 4, links: true),
            LinkChange(relationship: "tags", number: 2, links: false)
        )
        products.apply(UpdateWork(mode: .perObject, set: [], links: [link, unlink], filter: tag))
        let after = first.map { $0.contains(2) ? Set($0).subtracting([2]).union([4]) : Set($0) }
        #expect(after != first.map { Set($0) })
        #expect(products.linksDigest().unordered == digest(after).unordered)
        var tags = products.focused(on: "Tag")
        let back = LinkChange(relationship: "products", number: 3, links: true)
        tags.apply(UpdateWork(mode: .perObject, set: [], links: [back]))
        var all = after
        all[2] = [1, 2, 3, 4, 5]
        #expect(tags.linksDigest().unordered == digest(all).unordered)
        let follow = FetchWork(mode: .sync, follow: FollowSpec(relationship: "tags", prefetch: false))
        let tagged = zip(self.records(products), all).map { product, links in
            product + members(links.map { [.string("Tag \($0 - 1)")] })
        }
        expect(tags.focused(on: "Product"), follow, tagged)
    }

    /// A record that is linked comes last, and keeps its place if it is there already.
    @Test func orderedLinksAreInTheOrderThatUpdatesLeft() throws {
        let entities = EntitiesFixture.tagged.replacingOccurrences(
            of: #""count": 1"#, with: #""ordered": true, "count": 1"#)
        var products = try EntitiesFixture.seeded(entities: entities).focused(on: "Product")
        var lists = (0..<7).map { products.generator.links(0, $0) }
        let change = { LinkChange(relationship: "tags", number: $0, links: $1) }
        for (number, links) in [(4, true), (2, false), (2, true)] as [(Int64, Bool)] {
            products.apply(UpdateWork(mode: .perObject, set: [], links: [change(number, links)]))
            for place in lists.indices where !links || !lists[place].contains(number) {
                lists[place].removeAll { $0 == number }
                if links { lists[place].append(number) }
            }
        }
        let orders = lists.enumerated().map { product, tags in
            [.string("tags"), .int64(Int64(product) + 1)] + tags.map(FieldValue.int64)
        }
        #expect(products.ordersDigest().unordered == digest(orders).unordered)
        let follow = FetchWork(mode: .sync, follow: FollowSpec(relationship: "tags", prefetch: false))
        let tagged = zip(self.records(products), lists).map { product, tags in
            let found = digest(tags.map { [.string("Tag \($0 - 1)")] })
            return product + [.int64(Int64(found.count)), .int64(Int64(bitPattern: found.ordered))]
        }
        expect(products, follow, tagged)
    }

    private func digest(_ tags: [Set<Int64>]) -> RecordDigest {
        let pairs = zip(Int64(1)..., tags).flatMap { product, tags in tags.map { (product, $0) } }
        return digest(pairs.map { [.string("tags"), .int64($0), .int64($1)] })
    }

    private func members(_ records: [[FieldValue]]) -> [FieldValue] {
        let digest = digest(records)
        return [.int64(Int64(digest.count)), .int64(Int64(bitPattern: digest.unordered))]
    }

    private func number(_ value: FieldValue) -> Int { if case .int64(let number) = value { Int(number) } else { 0 } }

    private func expect(
        _ store: ExpectedStore, _ fetch: FetchWork, _ records: [[FieldValue]],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let expectation = store.expectation(for: fetch)
        for (records, isRight) in [(records, true), (Array(records.dropLast()) + [records[0]], false)] {
            var digester = expectation.makeDigester()
            for record in records { digester.addRecord(record) }
            #expect((expectation.discrepancy(in: digester) == nil) == isRight, sourceLocation: sourceLocation)
        }
    }
}

/// The deletion of one record.
private struct ExpectedRecord: ExpectedStep {
    let ordinal: Int

    func apply(to record: inout [FieldValue], _ ordinal: Int) -> ExpectedEffect {
        ordinal == self.ordinal ? .deleted : .none
    }
}

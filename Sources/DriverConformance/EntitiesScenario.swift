/// A scenario with several entities, for a driver whose stores hold them: a small shop with orders of customers, lines
/// of orders and products, and tags of products.
///
/// It has every kind of phase, and each way to look through relationships. A test writes ``json`` to a file and runs
/// it.
public enum EntitiesScenario {
    /// The scenario.
    public static var json: String { json(phases) }

    /// The scenario with some phases.
    public static func json(_ phases: [String]) -> String {
        """
        { "version": 3, "name": "shop", "seed": 1, "records": 200, "isolation": "none",
        \(entities)
        "phases": [\(phases.joined(separator: ",\n"))] }
        """
    }

    /// Returns the phase with a name.
    public static func phase(_ name: String) -> String {
        phases.first { $0.contains("{ \"name\": \"\(name)\"") } ?? name
    }

    private static let entities = #"""
        "entities": [{
        "name": "Order",
        "attributes": [
        { "name": "number", "type": "int64", "unique": true, "generator": { "kind": "sequence", "start": 1 } },
        { "name": "placedAt", "type": "date", "indexed": true,
        "generator": { "kind": "ascending", "start": "2025-01-01T00:00:00Z", "step_s": 600 } },
        { "name": "note", "type": "string", "null_share": 0.5, "generator": { "kind": "words", "count": 5 } },
        { "name": "status", "type": "string",
        "generator": { "kind": "choice", "values": ["open", "paid", "sent"], "weights": [1, 2, 7] } }
        ],
        "relationships": [{ "name": "customer", "to": "Customer", "inverse": "orders", "delete_rule": "cascade",
          "distribution": "zipfian" }]
        },

        { "name": "Customer", "records": 20, "attributes": [
        { "name": "name", "type": "string", "generator": { "kind": "words", "count": 2, "vocabulary": 2000 } },
        { "name": "city", "type": "string", "indexed": true, "generator": { "kind": "choice", "values": ["Bern",
          "Basel", "Chur"] } } ] },
        { "name": "Line", "records": 600, "attributes": [
        { "name": "number", "type": "int64", "unique": true, "generator": { "kind": "sequence" } },
        { "name": "quantity", "type": "int64", "generator": { "kind": "uniform", "min": 1, "max": 9 } },
        { "name": "price", "type": "double", "generator": { "kind": "uniform", "min": 1, "max": 99 } } ],
        "relationships": [
        { "name": "order", "to": "Order", "inverse": "lines", "delete_rule": "cascade" },
        { "name": "product", "to": "Product", "inverse": "lines", "distribution": "zipfian" } ] },
        { "name": "Product", "records": 30, "attributes": [
        { "name": "name", "type": "string", "generator": { "kind": "words", "count": 2 } },
        { "name": "stock", "type": "int64", "generator": { "kind": "uniform", "min": 0, "max": 500 } } ],
        "relationships": [
        { "name": "tags", "to": "Tag", "inverse": "products", "count": 0, "count_max": 4 } ] },
        { "name": "Variant", "records": 70, "attributes": [
        { "name": "size", "type": "int64", "generator": { "kind": "uniform", "min": 30, "max": 50 } } ],
        "relationships": [
        { "name": "product", "to": "Product", "inverse": "variants", "delete_rule": "cascade", "ordered": true } ] },
        { "name": "Tag", "records": 9, "attributes": [
        { "name": "name", "type": "string", "generator": { "kind": "sequence", "prefix": "Tag " } } ] }
        ],
        """#

    /// The phases.
    public static let phases = [
        #"""
        { "name": "variants", "kind": "fetch", "from": "seeded", "entity": "Product", "mode": "sync",
          "sort": [{ "key": "stock" }], "limit": 9, "follow": { "relationship": "variants", "prefetch": true } }
        """#,
        #"""
        { "name": "more-variants", "kind": "insert", "from": "previous", "entity": "Variant", "records": 40,
          "save_every_records": 7 }
        """#,
        #"""
        { "name": "fewer-variants", "kind": "delete", "from": "previous", "entity": "Variant", "mode": "per_object",
          "filter": { "key": "size", "op": "<", "value": 36 } }
        """#,
        #"""
        { "name": "variants-again", "kind": "fetch", "from": "previous", "entity": "Product", "mode": "sync",
          "follow": { "relationship": "variants" } }
        """#,
        #"""
        { "name": "catalogue", "kind": "fetch", "from": "seeded", "entity": "Product", "mode": "sync",
          "sort": [{ "key": "name" }], "limit": 12, "follow": { "relationship": "tags", "prefetch": true } }
        """#,
        #"""
        { "name": "tagged", "kind": "fetch", "from": "seeded", "entity": "Tag", "mode": "sync",
          "filter": { "key": "name", "op": "!=", "value": "Tag 3" }, "follow": { "relationship": "products" } }
        """#,
        #"""
        { "name": "tagged-prefetched", "kind": "fetch", "from": "seeded", "entity": "Tag", "mode": "sync",
          "follow": { "relationship": "products", "prefetch": true } }
        """#,
        #"""
        { "name": "large-orders", "kind": "fetch", "from": "seeded", "mode": "async",
          "filter": { "and": [{ "key": "lines.quantity", "op": ">", "value": 7 },
          { "not": { "key": "lines.price", "op": "<", "value": 12 } }] } }
        """#,
        #"""
        { "name": "tagged-products", "kind": "count", "from": "seeded", "entity": "Product",
          "filter": { "or": [{ "key": "tags.name", "op": "ends_with", "value": "3" },
          { "key": "tags.name", "op": "==", "value": "tag 5", "ignore_case": true }] } }
        """#,
        #"""
        { "name": "tags-of-scarce", "kind": "fetch", "from": "seeded", "entity": "Tag", "mode": "sync",
          "filter": { "key": "products.stock", "op": "between", "value": [0, 60] } }
        """#,
        #"""
        { "name": "pay-large-orders", "kind": "update", "from": "seeded", "mode": "batch",
          "filter": { "key": "lines.quantity", "op": ">", "value": 7 }, "set": { "status": "paid" } }
        """#,
        #"""
        { "name": "delete-large-orders", "kind": "delete", "from": "previous", "mode": "per_object",
          "filter": { "key": "lines.quantity", "op": ">", "value": 7 } }
        """#,
        // The next three look through a relationship whose rows or pairs they delete, too.
        #"""
        { "name": "delete-large-orders-at-once", "kind": "delete", "from": "seeded", "mode": "batch",
          "filter": { "key": "lines.quantity", "op": ">", "value": 7 } }
        """#,
        #"""
        { "name": "forget-who-waits-at-once", "kind": "delete", "from": "seeded", "entity": "Customer", "mode": "batch",
          "filter": { "key": "orders.status", "op": "==", "value": "paid" } }
        """#,
        #"""
        { "name": "remove-tags-of-scarce-at-once", "kind": "delete", "from": "seeded", "entity": "Tag", "mode": "batch",
          "filter": { "key": "products.stock", "op": "between", "value": [0, 60] } }
        """#,
        #"""
        { "name": "first-variants", "kind": "fetch", "from": "seeded", "entity": "Product", "mode": "sync",
          "limit": 9, "follow": { "relationship": "variants", "prefetch": true } }
        """#,
        #"""
        { "name": "first-of-catalogue", "kind": "fetch", "from": "seeded", "entity": "Product", "mode": "sync",
          "limit": 9, "follow": { "relationship": "tags", "prefetch": true } }
        """#,
        #"""
        { "name": "restock", "kind": "update", "from": "seeded", "entity": "Product", "mode": "per_object",
          "set": { "stock": { "add": 7 } } }
        """#,
        #"""
        { "name": "offer", "kind": "insert", "from": "previous", "entity": "Product", "records": 20,
          "save_every_records": 3 }
        """#,
        #"""
        { "name": "remove-tags", "kind": "delete", "from": "previous", "entity": "Tag", "mode": "per_object",
          "filter": { "key": "name", "op": "in", "value": ["Tag 1", "Tag 2"] } }
        """#,
        #"""
        { "name": "catalogue-again", "kind": "fetch", "from": "previous", "entity": "Product", "mode": "sync",
          "follow": { "relationship": "tags" } }
        """#,
        #"""
        { "name": "restock-again", "kind": "update", "from": "previous", "entity": "Product", "mode": "chunked",
          "chunk_records": 7, "set": { "stock": { "add": 7 } } }
        """#,
        #"""
        { "name": "remove-tags-at-once", "kind": "delete", "from": "seeded", "entity": "Tag", "mode": "batch",
          "filter": { "key": "name", "op": "in", "value": ["Tag 1", "Tag 2"] } }
        """#,
        #"""
        { "name": "tag-scarce", "kind": "update", "from": "seeded", "entity": "Product", "mode": "per_object",
          "filter": { "key": "stock", "op": "<", "value": 300 },
          "set": { "tags": { "link": 4, "unlink": 2 }, "stock": { "add": 1 } } }
        """#,
        #"""
        { "name": "tagged-after", "kind": "fetch", "from": "previous", "entity": "Tag", "mode": "sync",
          "follow": { "relationship": "products" } }
        """#,
        #"""
        { "name": "tag-from-the-other-end", "kind": "update", "from": "previous", "entity": "Tag", "mode": "chunked",
          "chunk_records": 2, "filter": { "key": "products.stock", "op": ">", "value": 250 },
          "set": { "products": { "unlink": 3, "link": 5 } } }
        """#,
        #"""
        { "name": "catalogue-after", "kind": "fetch", "from": "previous", "entity": "Product", "mode": "sync",
          "follow": { "relationship": "tags", "prefetch": true } }
        """#,
        #"""
        { "name": "untag", "kind": "update", "from": "previous", "entity": "Product", "mode": "chunked",
          "chunk_records": 7, "filter": { "key": "tags.name", "op": "==", "value": "Tag 3" },
          "set": { "tags": { "unlink": 4 } } }
        """#,
        #"""
        { "name": "sell-tagged", "kind": "update", "from": "previous", "entity": "Product", "mode": "per_object",
          "filter": { "key": "tags.name", "op": "==", "value": "Tag 3" }, "set": { "stock": { "add": -1 } } }
        """#,
        #"""
        { "name": "remove-linked-tags", "kind": "delete", "from": "previous", "entity": "Tag", "mode": "batch",
          "filter": { "key": "name", "op": "in", "value": ["Tag 3", "Tag 4"] } }
        """#,
        #"""
        { "name": "tags-that-remain", "kind": "fetch", "from": "previous", "entity": "Product", "mode": "sync",
          "follow": { "relationship": "tags" } }
        """#,
        #"""
        { "name": "fill", "kind": "seed", "from": "empty", "save_every_records": 50 }
        """#,
        #"""
        { "name": "newest", "kind": "fetch", "from": "seeded", "mode": "sync", "sort": [{ "key": "placedAt",
          "ascending": false }], "limit": 20, "follow": { "relationship": "customer" } }
        """#,
        #"""
        { "name": "newest-prefetched", "kind": "fetch", "from": "seeded", "mode": "sync", "sort": [{
          "key": "placedAt", "ascending": false }], "limit": 20, "follow": { "relationship": "customer",
          "prefetch": true } }
        """#,
        #"""
        { "name": "with-lines-prefetched", "kind": "fetch", "from": "seeded", "mode": "sync", "sort": [{
          "key": "placedAt", "ascending": false }], "limit": 20, "follow": { "relationship": "lines",
          "prefetch": true } }
        """#,
        #"""
        { "name": "with-lines", "kind": "fetch", "from": "seeded", "mode": "sync", "filter": {
          "key": "customer.city", "op": "==", "value": "Bern" }, "follow": { "relationship": "lines" } }
        """#,
        #"""
        { "name": "all-lines", "kind": "fetch", "from": "seeded", "mode": "async", "entity": "Line", "sort": [{
          "key": "product.name" }, { "key": "number" }], "filter": { "and": [{ "key": "order.status", "op": "==",
          "value": "sent" }, { "key": "product.stock", "op": ">", "value": 20 }] } }
        """#,
        #"""
        { "name": "lines-by-product", "kind": "aggregate", "from": "seeded", "entity": "Line", "function": "sum",
          "attribute": "quantity", "filter": { "key": "product.name", "op": "contains", "value": "a" } }
        """#,
        #"""
        { "name": "count-by-city", "kind": "aggregate", "from": "seeded", "function": "count",
          "group_by": "customer.city", "filter": { "key": "status", "op": "!=", "value": "open" } }
        """#,
        #"""
        { "name": "count-by-customer", "kind": "aggregate", "from": "previous", "function": "count",
          "group_by": "customer" }
        """#,
        #"""
        { "name": "quantity-by-customer", "kind": "aggregate", "from": "seeded", "entity": "Line", "function": "sum",
          "attribute": "quantity", "group_by": "order.customer.name" }
        """#,
        #"""
        { "name": "count-city", "kind": "count", "from": "seeded", "entity": "Customer", "filter": { "key": "city",
          "op": "==", "value": "Bern" } }
        """#,
        #"""
        { "name": "page", "kind": "page", "from": "seeded", "entity": "Line", "by": "key", "page_records": 30,
          "sort": [{ "key": "number", "ascending": false }] }
        """#,
        #"""
        { "name": "get", "kind": "get", "from": "seeded", "entity": "Line", "count": 100 }
        """#,
        #"""
        { "name": "order-more", "kind": "insert", "from": "seeded", "records": 30, "save_every_records": 5 }
        """#,
        #"""
        { "name": "line-more", "kind": "insert", "from": "previous", "entity": "Line", "records": 90,
          "save_every_records": 5 }
        """#,
        #"""
        { "name": "sell", "kind": "update", "from": "previous", "entity": "Product", "mode": "per_object", "set": {
          "stock": { "add": -1 } } }
        """#,
        #"""
        { "name": "look", "kind": "fetch", "from": "previous", "entity": "Line", "mode": "sync", "filter": {
          "key": "product.stock", "op": ">", "value": 20 }, "follow": { "relationship": "product" } }
        """#,
        #"""
        { "name": "check", "kind": "checkpoint", "from": "previous" }
        """#,
        #"""
        { "name": "move", "kind": "update", "from": "seeded", "entity": "Line", "mode": "chunked",
          "chunk_records": 50, "filter": { "key": "order.status", "op": "==", "value": "open" }, "set": {
          "product": 3 } }
        """#,
        #"""
        { "name": "move-batch", "kind": "update", "from": "seeded", "entity": "Line", "mode": "batch", "filter": {
          "key": "order.status", "op": "==", "value": "open" }, "set": { "quantity": 3 } }
        """#,
        #"""
        { "name": "upsert", "kind": "upsert", "from": "seeded", "entity": "Line", "records": 60, "new_share": 0.5 }
        """#,
        #"""
        { "name": "undo", "kind": "undo", "from": "seeded", "entity": "Product", "filter": { "key": "stock",
          "op": ">", "value": 200 }, "set": { "stock": 3 }, "step_records": 5 }
        """#,
        #"""
        { "name": "merge", "kind": "merge", "from": "seeded", "entity": "Line", "writers": 2,
          "saves_per_writer": 5, "inserts_per_save": 3, "changes_per_save": 3, "deletes_per_save": 1, "set": {
          "quantity": 2 } }
        """#,
        #"""
        { "name": "saves", "kind": "saves", "from": "seeded", "entity": "Line", "mode": "unobserved", "writers": 2,
          "saves_per_writer": 20, "inserts_per_save": 2, "changes_per_save": 1, "deletes_per_save": 1, "set": {
          "quantity": { "add": 1 } } }
        """#,
        #"""
        { "name": "move-lines", "kind": "mixed", "from": "seeded", "entity": "Line", "workers": 2,
          "operation_count": 80, "operations": { "read": 0.2, "update": 0.4, "insert": 0.2, "delete": 0.2 },
          "fields_per_update": 0 }
        """#,
        #"""
        { "name": "delete-lines", "kind": "delete", "from": "seeded", "entity": "Line", "mode": "batch",
          "filter": { "key": "order.status", "op": "==", "value": "open" } }
        """#,
        #"""
        { "name": "delete", "kind": "delete", "from": "seeded", "mode": "per_object", "sort": [{
          "key": "placedAt" }, { "key": "number" }], "limit": 20 }
        """#,
        #"""
        { "name": "count-lines", "kind": "count", "from": "previous", "entity": "Line" }
        """#,
        #"""
        { "name": "delete-at-once", "kind": "delete", "from": "seeded", "mode": "batch", "filter": {
          "key": "status", "op": "==", "value": "open" } }
        """#,
        #"""
        { "name": "forget", "kind": "delete", "from": "seeded", "entity": "Customer", "mode": "per_object",
          "filter": { "key": "city", "op": "==", "value": "Bern" } }
        """#,
        #"""
        { "name": "count-orders", "kind": "count", "from": "previous" }
        """#,
        #"""
        { "name": "forget-at-once", "kind": "delete", "from": "seeded", "entity": "Customer", "mode": "batch",
          "filter": { "key": "city", "op": "==", "value": "Bern" } }
        """#,
        #"""
        { "name": "reopen", "kind": "reopen", "from": "seeded", "entity": "Product" }
        """#,
    ]
}

extension EntityDescription {
    /// The indexes that the superentity does not have.
    var ownFetchIndexes: ArraySlice<[String]> { fetchIndexes[(superentity?.fetchIndexes.count ?? 0)...] }

    /// The fault in the indexes that the entity adds to those of its superentity; nil if there is none.
    var faultOfIndexes: String? {
        for index in ownFetchIndexes {
            if index.isEmpty { return "an index is empty; name an attribute in it" }
            for name in index { if let fault = fault(ofIndexed: name) { return fault } }
            if Set(index).count < index.count { return "the index \(index) names an attribute twice" }
        }
        return Set(ownFetchIndexes).count < ownFetchIndexes.count ? "it has the same index twice" : nil
    }

    private func fault(ofIndexed name: String) -> String? {
        guard let attribute = attributesByName[name] else {
            return "there is no attribute \"\(name)\" that could have an index; it has \(attributes.map(\.name))"
        }
        guard attribute.attributeType != .transformable, attribute.attributeType != .binaryData else {
            return "\"\(name)\" is \(attribute.attributeType.rawValue), which has no order for an index"
        }
        return nil
    }
}

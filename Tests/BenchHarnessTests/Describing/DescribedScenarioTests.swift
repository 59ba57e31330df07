import Foundation
import TestSupport
import Testing

@testable import BenchHarness

/// A scenario from the survey of a file: it is valid, and its records are like those of the file.
@Suite struct DescribedScenarioTests {
    @Test func attributesGetGeneratorsLikeTheirValues() throws {
        let attributes = [
            attribute("subject", .string, (0..<300).map { .string("word\($0 % 90) and \($0 % 7) more") }),
            attribute("folder", .string, (0..<300).map { .string($0 % 4 == 0 ? "spam" : "inbox") }),
            attribute("code", .string, (0..<300).map { .string(String(repeating: "x", count: 3 + $0 % 5) + "\($0)") }),
            attribute("key", .int64, (0..<300).map { .int64(5 + 2 * $0) }, isUnique: true),
            attribute("size", .int64, (0..<300).map { $0 % 3 == 0 ? .null : .int64($0 * 7919 % 1000) }),
            attribute("read", .int64, (0..<300).map { .int64($0 % 4 == 0 ? 1 : 0) }),
            attribute("stars", .int64, (0..<300).map { .int64($0 % 5) }, isIndexed: true),
            attribute("weight", .double, (0..<300).map { .double(Double($0 * 37 % 100) / 7) }),
            attribute("sentAt", .date, (0..<300).map { .date(Double($0) * 60.5) }),
            attribute("dueAt", .date, (0..<300).map { .date(Double($0 * 7919 % 1000)) }),
            attribute("body", .data, (0..<300).map { .data(Data(count: 10 + $0 % 20)) }),
        ]
        let scenario = try read(survey(SurveyedEntity(name: "Message", records: 300, attributes: attributes)))
        #expect(scenario.records == 300 && scenario.entity.name == "Message")
        let specs = Dictionary(uniqueKeysWithValues: scenario.entity.attributes.map { ($0.name, $0) })
        #expect(specs["folder"]?.generator == .choice(values: [.string("1...."), .string("2...")], weights: [75, 25]))
        #expect(specs["code"]?.generator == .randomLengths(min: 4, max: 10))
        #expect(specs["key"]?.generator == .sequence(prefix: "", start: 5, step: 2) && specs["key"]?.isUnique == true)
        #expect(specs["size"]?.generator == .uniform(min: 3, max: 996))
        #expect(specs["size"]?.nullShare == 0.3333)
        #expect(specs["read"]?.type == .bool && specs["read"]?.generator == .uniform(min: 0, max: 0.25))
        #expect(specs["stars"]?.isIndexed == true && specs["stars"]?.generator.values.count == 5)
        #expect(specs["weight"]?.generator == .uniform(min: 0, max: 99.0 / 7))
        #expect(specs["sentAt"]?.generator == .ascending(start: 0, step: 60.502))
        #expect(specs["dueAt"]?.generator == .uniform(min: 0, max: 996))
        #expect(specs["body"]?.generator == .randomLengths(min: 10, max: 29))
    }

    @Test func textsOfAChoiceAreAsLongAsThoseOfTheFile() throws {
        let letters = (0..<300).map { FieldValue.string($0 % 15 == 0 ? "" : String($0 % 15, radix: 16)) }
        let attributes = [
            attribute("letter", .string, letters),
            attribute("empty", .string, (0..<300).map { _ in .string("") }),
        ]
        let scenario = try read(survey(SurveyedEntity(name: "Note", records: 300, attributes: attributes)))
        let values = scenario.entity.attributes.map(\.generator.values)
        let texts = values[0].compactMap { if case .string(let text) = $0 { text } else { nil } }
        #expect(Set(texts).count == 15 && texts.count { $0.utf8.count == 1 } == 14 && texts.contains(""))
        #expect(scenario.entity.attributes[1].generator == .constant(.string("")))
    }

    /// Texts of the scenario have the bytes of the file's, within 15 % over several seeds: each makes words of its own.
    @Test func textsAreAsLongAsThoseOfTheFile() throws {
        let texts = (0..<500).map { number in
            (0..<(4 + number % 9)).map { "w\(number * 31 % 77 + $0)" }.joined(separator: " ") + " and others"
        }
        let entity = SurveyedEntity(
            name: "Note", records: 500, attributes: [attribute("body", .string, texts.map(FieldValue.string))])
        let scenario = try read(survey(entity))
        guard case .words = scenario.entity.attributes[0].generator else {
            Issue.record("expected words, not \(scenario.entity.attributes[0].generator)")
            return
        }
        let made = (1...20).reduce(0) { sum, seed in
            let generator = RecordGenerator(entity: scenario.entity, seed: UInt64(seed))
            return (0..<500).reduce(sum) { $0 + generator.string(0, $1).utf8.count }
        }
        let found = 20 * texts.reduce(0) { $0 + $1.utf8.count }
        #expect((0.85...1.15).contains(Double(made) / Double(found)), "\(made) \(found)")
    }

    @Test func noTextOfTheFileIsInTheScenario() throws {
        let secrets = ["Jane Roe", "jane@example.org", "hunter2", "Kontostand 12"]
        let attributes = secrets.map { secret in
            attribute("a\(secrets.firstIndex(of: secret)!)", .string, (0..<100).map { _ in .string(secret) })
        }
        let mixed = attribute("b", .string, (0..<100).map { .string(secrets[$0 % 4]) })
        let data = attribute("c", .data, (0..<100).map { .data(Data(secrets[$0 % 4].utf8)) })
        let entity = SurveyedEntity(name: "Person", records: 100, attributes: attributes + [mixed, data])
        let text = try DescribedScenario(named: "s", of: survey(entity), from: "f", entity: nil).text
        for secret in secrets {
            #expect(!text.contains(secret) && !text.contains(Data(secret.utf8).base64EncodedString()))
        }
        #expect(text.contains("c") && text.contains("records"))
    }

    @Test func recordsBelongToWhatTheyReferTo() throws {
        let name = attribute("name", .string, (0..<12).map { .string("box \($0)") }, isUnique: true, isIndexed: true)
        let key = attribute("key", .int64, (0..<600).map { .int64($0) })
        var survey = survey(
            SurveyedEntity(
                name: "Message", records: 600, attributes: [key],
                references: [
                    SurveyedReference(name: "thread", entity: "Message", nulls: 0, most: 2),
                    SurveyedReference(name: "box", entity: "Box", nulls: 5, most: 550),
                    SurveyedReference(name: "label", entity: "Label", nulls: 300, most: 2),
                ]),
            SurveyedEntity(name: "Box", records: 12, attributes: [name]),
            SurveyedEntity(name: "Label", records: 40, attributes: []))
        let scenario = try read(survey, entity: "Message")
        let box = scenario.entity.toOnes[1]
        #expect(box.relationship == "box" && box.inverse == "messages" && box.entityName == "Box")
        #expect(box.records == 12 && box.distribution == .zipfian)
        #expect(scenario.entities.map(\.records) == [600, 12, 40] && scenario.entity.toOnes[2].entityName == "Label")
        let sequence = Generator.sequence(prefix: "name ", start: 0, step: 1)
        let unique = AttributeSpec(name: "name", type: .string, generator: sequence, isUnique: true)
        #expect(scenario.entities[1].attributes == [unique])
        let text = try DescribedScenario(named: "s", of: survey, from: "f", entity: "Message").text
        #expect(text.contains("// Note: 5 records of Message without box get one too."))
        #expect(scenario.entity.toOnes.map(\.entityName) == ["Message", "Box", "Label"])
        survey.entities[0].references[1].most = 60
        #expect(try read(survey, entity: "Message").entity.toOnes[1].distribution == nil)
        #expect(try read(survey, entity: "Label").entity.attributes.map(\.name) == ["number"])
    }

    @Test func everyEntityWithRecordsIsInTheScenario() throws {
        let survey = StoreSurvey(
            entities: [
                SurveyedEntity(name: "Empty", records: 0, attributes: []),
                SurveyedEntity(name: "Tag", records: 9, attributes: []),
                SurveyedEntity(
                    name: "Note", records: 40, attributes: [],
                    references: [
                        SurveyedReference(name: "parent", entity: "Note", nulls: 3, most: 1),
                        SurveyedReference(name: "folder", entity: "Folder", nulls: 4, most: 2),
                        SurveyedReference(name: "unset", entity: "Folder", nulls: 40, most: 0),
                    ]),
                SurveyedEntity(
                    name: "Folder", records: 20, attributes: [],
                    references: [SurveyedReference(name: "newest", entity: "Note", nulls: 5, most: 1)]),
            ],
            links: [
                SurveyedLink(
                    .init(entity: "Tag", relationship: "tags", fewest: 0, most: 90),
                    .init(entity: "Note", relationship: "notes", fewest: 1, most: 7), pairs: 120),
                SurveyedLink(
                    .init(entity: "Note", relationship: "notes", fewest: 0, most: 1),
                    .init(entity: "Empty", relationship: "others", fewest: 0, most: 1), pairs: 1),
            ])
        let scenario = try read(survey)
        #expect(scenario.entities.map(\.name) == ["Note", "Folder", "Tag"])
        #expect(scenario.records == 40 && scenario.entities.map(\.records) == [40, 20, 9])
        #expect(scenario.entity.toOnes.map(\.relationship) == ["parent", "folder"] && scenario.schema.isCircular)
        let link = LinkSpec(relationship: "tags", inverse: "notes", entityName: "Tag", records: 9, min: 1, max: 5)
        #expect(scenario.entity.links == [link])
        #expect(scenario.phases.map(\.name).contains("fetch-related"))
        let text = try DescribedScenario(named: "s", of: survey, from: "f", entity: nil).text
        for remark in [
            "4 records of Note without folder get one too",
            "the relationship Note.unset is left out: no record has it",
            "the relationship Note.others is left out: an end of it is left out, too",
        ] {
            #expect(text.contains("// Note: \(remark).\n"), "\(remark)")
        }
    }

    /// More records lead to fewer, also where another relationship leads the other way.
    @Test func aRelationshipToManyLeadsFromMoreRecordsToFewer() throws {
        let reference = SurveyedReference(name: "largest", entity: "Large", nulls: 0, most: 3)
        let survey = StoreSurvey(
            entities: [
                SurveyedEntity(name: "Large", records: 40, attributes: []),
                SurveyedEntity(name: "Small", records: 20, attributes: [], references: [reference]),
            ],
            links: [
                SurveyedLink(
                    .init(entity: "Large", relationship: "larges", fewest: 0, most: 2),
                    .init(entity: "Small", relationship: "smalls", fewest: 0, most: 9), pairs: 30)
            ])
        let scenario = try read(survey)
        let link = LinkSpec(relationship: "smalls", inverse: "larges", entityName: "Small", records: 20, min: 0, max: 2)
        #expect(scenario.entities.map(\.links) == [[link], nil])
    }

    /// The end that keeps an order leads to the other one, also if it has fewer records. A scenario has one order.
    @Test(arguments: [false, true])
    func aRelationshipToManyLeadsFromTheEndThatKeepsAnOrder(areBothOrdered: Bool) throws {
        let survey = StoreSurvey(
            entities: [
                SurveyedEntity(name: "Large", records: 40, attributes: []),
                SurveyedEntity(name: "Small", records: 20, attributes: []),
            ],
            links: [
                SurveyedLink(
                    .init(entity: "Large", relationship: "larges", fewest: 0, most: 2, isOrdered: areBothOrdered),
                    .init(entity: "Small", relationship: "smalls", fewest: 0, most: 9, isOrdered: true), pairs: 30)
            ])
        let scenario = try read(survey)
        let source = areBothOrdered ? "Large" : "Small"
        let ordered = scenario.entities.filter { !($0.links ?? []).isEmpty }
        #expect(ordered.map(\.name) == [source] && ordered[0].links?.map(\.isOrdered) == [true])
        let text = try DescribedScenario(named: "s", of: survey, from: "f", entity: nil).text
        let remark = "// Note: the order of the relationship Small.larges is left out: one end keeps an order.\n"
        #expect(text.contains(remark) == areBothOrdered)
    }

    /// A phase that starts from the file has the records of subentities among those of their parent.
    @Test func anEntityIsDescribedWithThoseThatInheritFromIt() throws {
        let folder = SurveyedReference(name: "folder", entity: "Folder", nulls: 0, most: 2)
        let item = SurveyedReference(name: "item", entity: "Item", nulls: 0, most: 2)
        let task = SurveyedEntity(name: "Task", records: 10, attributes: [], references: [folder], root: "Note")
        var survey = StoreSurvey(
            entities: [
                SurveyedEntity(name: "Note", records: 30, attributes: [], references: [folder, item]), task,
                SurveyedEntity(name: "Item", records: 3, attributes: []),
                SurveyedEntity(name: "Folder", records: 4, attributes: [], root: "Item"),
            ],
            families: [
                SurveyedEntity(name: "Note", records: 40, attributes: [], references: [folder, item]),
                SurveyedEntity(name: "Item", records: 7, attributes: []),
            ])
        let scenario = try read(survey, entity: "Note")
        #expect(scenario.records == 40 && scenario.entity.toOnes.map(\.entityName) == ["Item"])
        #expect(scenario.entities.map(\.records) == [40, 7])
        let text = try DescribedScenario(named: "s", of: survey, from: "f", entity: "Note").text
        #expect(text.contains("Note.folder is left out: Folder is left out, too."))
        let error = #expect(throws: RunError.self) {
            try DescribedScenario(named: "s", of: survey, from: "f", entity: "Task")
        }
        #expect(error?.description.contains("Task inherits from Note, and its records are described with it") == true)
        #expect(try read(survey).entities.map(\.name) == ["Note", "Task", "Folder", "Item"])
        survey.entities = [task]
        #expect(try read(survey).entity.name == "Note")
    }

    @Test func whatTheScenarioCannotSayIsNoted() throws {
        let long = String(repeating: "ü", count: 40)
        let attributes = [
            attribute("first name", .string, (0..<40).map { .string(String(repeating: "x", count: 70_000 + $0)) }),
            attribute("big", .int64, (0..<40).map { .int64(.max - Int64($0)) }),
            attribute("huge", .double, (0..<40).map { .double(Double($0) * 1e150) }),
            attribute("old", .date, (0..<40).map { .date(Double($0) * -1e12) }),
            attribute("few", .string, (0..<40).map { _ in .string(String(repeating: "y", count: 2_000)) }),
            attribute("text", .string, (0..<40).map { .string(String(repeating: "ab ", count: 30_000 + $0)) }),
            attribute("at", .date, (0..<40).map { .date(Double($0 * $0)) }, isUnique: true),
            attribute("gap", .int64, (0..<40).map { $0 == 3 ? .null : .int64($0) }, isUnique: true),
            attribute("data", .data, (0..<40).map { .data(Data(count: $0)) }, isIndexed: true),
            attribute("fits", .int64, (0..<40).map { .int64($0) }),
        ]
        let survey = StoreSurvey(
            entities: [
                SurveyedEntity(name: long, records: 40, attributes: attributes),
                SurveyedEntity(name: "Tag", records: 3_000, attributes: []),
            ],
            links: [
                SurveyedLink(
                    .init(entity: "Tag", relationship: "tags", fewest: 0, most: 1),
                    .init(entity: long, relationship: "all notes", fewest: 1, most: 3_000), pairs: 3_000)
            ])
        let text = try DescribedScenario(named: "s", of: survey, from: "f", entity: nil).text
        let remarks = [
            "the entity \(long) is called \(String(repeating: "ü", count: 30))",
            "the attribute \(long).first name is called first_name",
            "the relationship Tag.all notes is called all_notes",
            "values of \(long).first name above 65,536 bytes have so many",
            "integers of \(long).big beyond 9,007,199,254,740,992, which a double does not tell apart, became the nearest ones "
                + "within",
            "numbers of \(long).huge beyond 1e100 became the nearest ones within",
            "dates of \(long).old before 1600 or after 9999 became the nearest ones within",
            "texts of \(long).few above 1,000 bytes have so many",
            "texts of \(long).text above 65,536 bytes, or 10,000 words, have at most so many",
            "the unique index of \(long).at is a plain one: no generator makes different values of its type",
            "the unique index of \(long).gap is a plain one: it has nulls",
            "the index of \(long).data is left out: no index of a scenario holds data",
        ]
        for remark in remarks { #expect(text.contains("// Note: \(remark).\n"), "\(remark)\n\(text)") }
        #expect(text.components(separatedBy: "// Note: ").count - 1 == remarks.count + 1, "\(text)")
    }

    @Test func aDeletionThatCascadesIsOneInTheScenario() throws {
        let box = SurveyedReference(name: "box", entity: "Box", nulls: 0, most: 2, cascades: true)
        let mail = SurveyedEntity(name: "Mail", records: 30, attributes: [], references: [box])
        let survey = survey(mail, SurveyedEntity(name: "Box", records: 9, attributes: []))
        #expect(try read(survey, entity: "Mail").entity.toOnes.map(\.deleteRule) == [.cascade])
        #expect(try read(survey).entity.toOnes.map(\.deleteRule) == [.cascade])
    }

    @Test func aDeletionThatWouldLeadInACircleOfSeveralEntitiesDoesNot() throws {
        let parent = SurveyedReference(name: "parent", entity: "Folder", nulls: 1, most: 2, cascades: true)
        let folder = SurveyedEntity(name: "Folder", records: 30, attributes: [], references: [parent])
        #expect(try read(survey(folder)).entity.toOnes.map(\.deleteRule) == [.cascade])
        let box = SurveyedReference(name: "box", entity: "Box", nulls: 0, most: 2, cascades: true)
        let first = SurveyedReference(name: "first", entity: "Folder", nulls: 0, most: 1, cascades: true)
        let survey = survey(
            SurveyedEntity(name: "Folder", records: 30, attributes: [], references: [box]),
            SurveyedEntity(name: "Box", records: 9, attributes: [], references: [first]))
        let scenario = try read(survey)
        #expect(scenario.entities.map { $0.toOnes.map(\.deleteRule) } == [[.cascade], [nil]])
        let text = try DescribedScenario(named: "s", of: survey, from: "f", entity: nil).text
        #expect(
            text.contains(
                "// Note: a deletion by Box.first would lead in a circle; records lead nowhere instead.\n"))
    }

    @Test func anEntityThatIsNotThereIsNamed() throws {
        let survey = survey(SurveyedEntity(name: "Message", records: 1, attributes: []))
        for (name, words) in [("Mesage", "did you mean \"Message\"?"), ("x", "expected one of Message")] {
            let error = #expect(throws: RunError.self) {
                try DescribedScenario(named: "s", of: survey, from: "f", entity: name)
            }
            #expect(error?.description.contains(words) == true, "\(String(describing: error))")
        }
        let empty = #expect(throws: RunError.self) {
            try DescribedScenario(named: "s", of: StoreSurvey(entities: []), from: "f", entity: nil)
        }
        #expect(empty?.description.contains("there is no table with records in it") == true)
    }

    /// A scenario is valid even if a file has values and names that no scenario can have.
    @Test func everySurveyMakesAValidScenario() throws {
        var random = SplitMix64(state: 20_261_123)
        for _ in 0..<300 {
            let entities = (0...random.below(3)).map { number in
                hostileEntity("\(Self.names[random.below(Self.names.count)])\(number)", using: &random)
            }
            let links = (0..<random.below(4)).map { _ in
                SurveyedLink(
                    hostileEnd(of: entities, using: &random), hostileEnd(of: entities, using: &random),
                    pairs: random.below(2_000))
            }
            let survey = StoreSurvey(entities: entities, links: links, remarks: ["a\u{1B}[31m\nb"])
            guard entities.contains(where: { $0.records > 0 }) else { continue }
            let text = try DescribedScenario(named: "s", of: survey, from: "a\n\"b", entity: nil).text
            #expect(throws: Never.self, "\(text)") { try ScenarioReader().read(Data(text.utf8), file: "s") }
            #expect(!text.contains("\u{1B}"))
        }
    }

    // MARK: - Surveys

    private static let names = [
        "a", "A", "Ä", "first name", "1st", "", "\"; DROP", "名前", "z_pk", "\u{0}", "🙂", "_",
        String(repeating: "ü", count: 99),
    ]

    private static let values: [FieldValue] = [
        .null, .string(""), .string("\u{0}"), .string("a b c"), .string(String(repeating: "x ", count: 50_000)),
        .string("\"\\\n🙂"), .int64(.min), .int64(.max), .int64(0), .int64(1), .int64(-7), .double(.infinity),
        .double(-.infinity), .double(1e300), .double(-0.0), .double(.leastNonzeroMagnitude), .double(0.1), .date(1e300),
        .date(-1e15),
        .date(0), .date(.infinity), .data(Data()), .data(Data(count: 100_000)), .bool(true), .bool(false),
    ]

    private func hostileEntity(_ name: String, using random: inout SplitMix64) -> SurveyedEntity {
        let records = [0, 1, 2, 3, 40, 400, 20_000][random.below(7)]
        let attributes = (0..<random.below(6)).map { _ in
            var spread = ValueSpread(type: FieldType.allCases[random.below(FieldType.allCases.count)])
            let few = (0...random.below(5)).map { _ in Self.values[random.below(Self.values.count)] }
            for _ in 0..<min(records, 100) { spread.add(few[random.below(few.count)]) }
            return SurveyedAttribute(
                name: Self.names[random.below(Self.names.count)], values: spread, isUnique: random.below(3) == 0,
                isIndexed: random.below(3) == 0)
        }
        let references = (0..<random.below(3)).map { _ in
            SurveyedReference(
                name: Self.names[random.below(Self.names.count)],
                entity: random.below(2) == 0 ? nil : "\(Self.names[random.below(Self.names.count)])\(random.below(3))",
                nulls: random.below(records + 1), most: random.below(records + 1), isOrdered: random.below(2) == 0,
                cascades: random.below(2) == 0)
        }
        return SurveyedEntity(name: name, records: records, attributes: attributes, references: references)
    }

    private func hostileEnd(
        of entities: [SurveyedEntity], using random: inout SplitMix64
    ) -> SurveyedLink.End {
        SurveyedLink.End(
            entity: entities[random.below(entities.count)].name,
            relationship: Self.names[random.below(Self.names.count)], fewest: random.below(3), most: random.below(90),
            isOrdered: random.below(2) == 0)
    }

    private func survey(_ entities: SurveyedEntity...) -> StoreSurvey { StoreSurvey(entities: entities) }

    private func attribute(
        _ name: String, _ type: FieldType, _ values: [FieldValue], isUnique: Bool = false, isIndexed: Bool = false
    ) -> SurveyedAttribute {
        var spread = ValueSpread(type: type)
        for value in values { spread.add(value) }
        return SurveyedAttribute(name: name, values: spread, isUnique: isUnique, isIndexed: isIndexed)
    }

    private func read(_ survey: StoreSurvey, entity: String? = nil) throws -> Scenario {
        let text = try DescribedScenario(named: "s", of: survey, from: "f", entity: entity).text
        return try ScenarioReader().read(Data(text.utf8), file: "s")
    }
}

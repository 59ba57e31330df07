import Foundation
import ManagedStore
import Testing

/// What becomes of relationships when values that must be unique are settled.
@Suite struct UniqueValueRelationshipTests {
    private let context: ManagedObjectContext
    private let guilds: [Guild]
    private let tools: [Tool]
    private let skills: [Skill]

    init() throws {
        let context = try TestStore(.sqlite, model: Guild.model()).context()
        self.context = context
        guilds = (0..<2).map { _ in Guild(context: context) }
        tools = (0..<2).map { _ in Tool(context: context) }
        skills = (0..<2).map { _ in Skill(context: context) }
        try context.save()
    }

    @Test func rollingBackPutsAnObjectBackWhereItWas() throws {
        let artisans = [
            Artisan("a", guilds[0], Tool(context: context), skills[0]), Artisan("b", guilds[0], tools[0], skills[0]),
        ]
        try context.save()
        context.mergePolicy = .rollback
        (artisans[1].name, artisans[1].guild, artisans[1].skills) = ("a", guilds[1], [skills[1]])
        try context.save()
        #expect(artisans[1].name == "b" && artisans[1].guild === guilds[0] && artisans[1].skills == [skills[0]])
        #expect(guilds.map(\.members) == [Set(artisans), []])
        #expect(skills.map(\.artisans) == [Set(artisans), []])
        context.refreshAll()
        #expect(guilds.map(\.members) == [Set(artisans), []] && skills.map(\.artisans) == [Set(artisans), []])
    }

    @Test(arguments: [MergePolicy.mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite])
    func otherPoliciesLeaveRelationshipsOfWhatGivesUpItsValue(_ policy: MergePolicy) throws {
        let artisans = [Artisan("a", guilds[0], tools[0], skills[0]), Artisan("b", guilds[0], tools[1], skills[0])]
        try context.save()
        context.mergePolicy = policy
        for artisan in artisans { (artisan.name, artisan.guild, artisan.skills) = ("c", guilds[1], [skills[1]]) }
        try context.save()
        #expect(Set(artisans.map(\.name)).count == 2)
        #expect(guilds.map(\.members) == [[], Set(artisans)] && skills.map(\.artisans) == [[], Set(artisans)])
    }

    @Test(arguments: [MergePolicy.mergeByPropertyObjectTrump, .overwrite])
    func aNewObjectHandsItsRelationshipsToTheStoredOne(_ policy: MergePolicy) throws {
        let stored = Artisan("a", guilds[0], tools[0], skills[0])
        try context.save()
        context.mergePolicy = policy
        let new = Artisan("a", guilds[1], tools[1], skills[1])
        try context.save()
        #expect(new.managedObjectContext == nil && !context.hasChanges)
        for _ in 0..<2 {
            #expect(stored.guild === guilds[1] && stored.tools == Set(tools) && stored.skills == Set(skills))
            #expect(guilds.map(\.members) == [[], [stored]] && tools.allSatisfy { $0.owner === stored })
            #expect(skills.allSatisfy { $0.artisans == [stored] })
            context.refreshAll()
        }
    }
}

extension ManagedObjectContext {
    /// Lets everything be read from the store again.
    fileprivate func refreshAll() {
        stalenessInterval = 0
        do { try refreshAllObjects() } catch { Issue.record(error) }
    }
}

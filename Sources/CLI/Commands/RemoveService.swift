import RemindavBridge

struct RemoveService: Command {
    static let page = CommandPage(
        name: "service remove",
        summary: "Remove the service",
        details: """
            Stops the service and the web pages, and removes their files. Reminders, settings
            and changes by 'systemctl --user edit' stay.
            """,
        examples: ["remindav service remove": "stops all notifications"],
        exits: [.partial],
        meanings: [.partial: "a file that remindav did not write was not removed"]
    )

    static let needsSettings = false
    init(_ arguments: inout Arguments) throws(UsageError) {}

    func run(in context: Context) async throws -> ExitStatus {
        let files = try ServiceFiles.planned(in: context)
        let foreign = files.all.filter { files.state(of: $0) == .foreign }
        let manager = UserManager(session: context.session)
        let isManaged = files.state(of: files.unit).isOurs && manager.isThere
        // systemd needs the unit file to stop the service, so the file is removed after this call.
        if isManaged, !manager.disable() { throw ServiceError(.notEnabled, ServicePlan.unit) }
        let socket = UserManager(session: context.session, unit: ServicePlan.webSocket)
        let servesPages = files.hasWeb && manager.isThere
        if servesPages, !socket.disable() { throw ServiceError(.notEnabled, ServicePlan.webSocket) }
        if servesPages { UserManager(session: context.session, unit: ServicePlan.webUnit).stop() }
        let removed = try files.remove()
        if isManaged || servesPages { _ = manager.reload() }
        if removed.contains(files.desktop) { files.announce() }
        for file in removed { try context.output.note("Removed \(Sanitizer.line(file.path))") }
        for file in foreign {
            context.output.complain(ErrorMessages.explain(ServiceError(.foreign, file.path)))
        }
        if removed.isEmpty, foreign.isEmpty { try context.output.note("No service is installed") }
        return foreign.isEmpty ? .success : .partial
    }
}

internal import RemindavResources

extension Row {
    func href(_ column: String) -> Href? { self.textIfPresent(column).map { Href($0) } }
    func entityTag(_ column: String) -> EntityTag? { self.textIfPresent(column).map { EntityTag($0) } }
    func syncToken(_ column: String) -> SyncToken? { self.textIfPresent(column).map { SyncToken($0) } }
}

internal import Resources

extension Row {
    func href(_ column: Int) -> Href? { self.textIfPresent(column).map { Href($0) } }
    func entityTag(_ column: Int) -> EntityTag? { self.textIfPresent(column).map { EntityTag($0) } }
    func syncToken(_ column: Int) -> SyncToken? { self.textIfPresent(column).map { SyncToken($0) } }
}

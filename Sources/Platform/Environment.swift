extension [String: String] {
    /// Returns an environment variable; an empty variable counts as unset.
    package func variable(_ name: String) -> String? { self[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// A folder of the XDG Base Directory Specification: `place` below HOME if unset or relative; `nil` without HOME.
    package func baseFolder(_ name: String, else place: String) -> String? {
        if let folder = self.variable(name), folder.hasPrefix("/") { return folder }
        return self.variable("HOME").map { "\($0)/\(place)" }
    }
}

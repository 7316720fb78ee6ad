extension [String: String] {
    /// A variable of the environment; an empty one counts as unset.
    package func variable(_ name: String) -> String? { self[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// A folder of the XDG Base Directory Specification, otherwise a place below HOME; `nil` without HOME.
    ///
    /// A relative path in the variable is ignored, as the specification demands.
    package func baseFolder(_ name: String, else place: String) -> String? {
        if let folder = self.variable(name), folder.hasPrefix("/") { return folder }
        return self.variable("HOME").map { "\($0)/\(place)" }
    }
}

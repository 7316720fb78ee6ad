extension [String: String] {
    /// What a variable of the environment says; an empty one says nothing.
    package func variable(_ name: String) -> String? { self[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// A folder of the XDG Base Directory Specification: what the variable says, else that place below HOME.
    ///
    /// A relative path in the variable is to be ignored, says the specification.
    ///
    /// - Returns: `nil` when there is not even a home folder.
    package func baseFolder(_ name: String, else place: String) -> String? {
        if let folder = self.variable(name), folder.hasPrefix("/") { return folder }
        return self.variable("HOME").map { "\($0)/\(place)" }
    }
}

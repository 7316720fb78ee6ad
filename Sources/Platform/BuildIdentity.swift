import RemindavCLinuxEvents

/// The origin of the program.
package enum BuildIdentity {
    /// The commit of the sources; `nil` for a build that docs/package.sh did not make.
    package static var commit: String? {
        let text = unsafe String(cString: remindav_commit())
        return text.isEmpty ? nil : text
    }
}

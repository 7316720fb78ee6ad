package import RemindavPlatform

extension UseCases {
    /// Saves an edited text, which could not be applied, to a file in the store's folder that only the owner can read.
    ///
    /// - Parameters:
    ///   - name: the file name without extension; if such a file exists, a number is appended.
    ///   - old: the path of an earlier version of the text; that file is overwritten.
    /// - Throws: an error also if all names are taken, because no file of the user may be overwritten.
    package func saveRecoveryFile(_ text: [UInt8], named name: String, over old: String? = nil) throws(SystemError)
        -> String
    {
        if let old {
            try SystemFiles.writePrivate(text, to: old)
            return old
        }
        let folder = self.configuration.storeFolder
        var path = ""
        // The limit of the numbers; no user leaves so many files.
        for number in 1...1000 {
            path = "\(folder)/\(name)\(number == 1 ? "" : "-\(number)").txt"
            guard !SystemFiles.exists(path) else { continue }
            try SystemFiles.writePrivate(text, to: path)
            return path
        }
        throw .allTaken(path)
    }

    /// Deletes a saved text that is no longer needed.
    package func removeRecoveryFile(at path: String) { SystemFiles.remove(path) }
}

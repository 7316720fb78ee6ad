package import Platform

extension UseCases {
    /// Keeps a text that could not be used in a new file of the store's folder, which only its owner can read.
    ///
    /// - Parameters:
    ///   - name: the file name without extension; a number follows where it is taken.
    ///   - old: the path of an earlier version of the text, which is replaced.
    /// - Returns: the path.
    /// - Throws: also when all names are taken, since each file is a text of the user.
    package func keep(_ text: [UInt8], named name: String, over old: String? = nil) throws(SystemError) -> String {
        if let old {
            try SystemFiles.writePrivate(text, to: old)
            return old
        }
        let folder = self.configuration.storeFolder
        var path = ""
        // More files than a user leaves behind.
        for number in 1...1000 {
            path = "\(folder)/\(name)\(number == 1 ? "" : "-\(number)").txt"
            guard !SystemFiles.exists(path) else { continue }
            try SystemFiles.writePrivate(text, to: path)
            return path
        }
        throw .allTaken(path)
    }

    /// Deletes a kept text after its use.
    package func forget(textIn path: String) { SystemFiles.remove(path) }
}

package import Platform

extension UseCases {
    /// Keeps a text that could not be used in a new file of the store's folder, which only its owner can read.
    ///
    /// - Parameters:
    ///   - name: of the file, without its extension; a number is put behind it where that is taken.
    ///   - old: the path of an earlier version of that text, which it takes the place of; `nil` when there is none.
    /// - Returns: the path.
    /// - Throws: also when all the names are taken, since what has one is a text that somebody wrote.
    package func keep(_ text: [UInt8], named name: String, over old: String? = nil) throws(SystemError) -> String {
        if let old {
            try SystemFiles.writePrivate(text, to: old)
            return old
        }
        let folder = self.configuration.storeFolder
        var path = ""
        // More such files than anybody leaves lying about.
        for number in 1...1000 {
            path = "\(folder)/\(name)\(number == 1 ? "" : "-\(number)").txt"
            guard !SystemFiles.exists(path) else { continue }
            try SystemFiles.writePrivate(text, to: path)
            return path
        }
        throw .allTaken(path)
    }

    /// Removes a text that was kept and is used now.
    package func forget(textIn path: String) { SystemFiles.remove(path) }
}

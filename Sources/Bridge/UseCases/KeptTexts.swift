extension UseCases {
    /// Keeps a text that could not be used in a new file of the store's folder, which only its owner can read.
    ///
    /// - Parameter name: of the file, without its extension; a number is put behind it where that is taken.
    /// - Returns: the path.
    /// - Throws: also when all the names are taken, since what has one is a text that somebody wrote.
    package func keep(_ text: [UInt8], named name: String) throws(SystemError) -> String {
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
}

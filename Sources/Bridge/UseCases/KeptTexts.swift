extension UseCases {
    /// Keeps a text that could not be used in a new file of the store's folder, which only its owner can read.
    ///
    /// - Parameter name: of the file, without its extension; a number is put behind it where that is taken.
    /// - Returns: the path.
    package func keep(_ text: [UInt8], named name: String) throws(SystemError) -> String {
        let folder = self.configuration.storeFolder
        // More such files than anybody leaves lying about.
        for number in 1...1000 {
            let path = "\(folder)/\(name)\(number == 1 ? "" : "-\(number)").txt"
            guard !SystemFiles.exists(path) || number == 1000 else { continue }
            try SystemFiles.writePrivate(text, to: path)
            return path
        }
        preconditionFailure("the last of the names is taken whatever is there")
    }
}

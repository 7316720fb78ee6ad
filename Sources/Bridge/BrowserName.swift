package import RemindavSQLiteStore

extension SignInFile.Browser {
    /// The browser and its system in words, such as `Firefox on Linux`, derived from its User-Agent.
    package var name: String {
        // The User-Agent of most browsers also contains the names of compatible browsers, so the order is relevant.
        let names = [
            ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser/", "Samsung Internet"), ("Firefox/", "Firefox"),
            ("FxiOS/", "Firefox"), ("CriOS/", "Chrome"), ("Chromium/", "Chromium"), ("Chrome/", "Chrome"),
            ("Safari/", "Safari"), ("Lynx/", "Lynx"), ("w3m/", "w3m"), ("ELinks/", "ELinks"), ("Links ", "Links"),
        ]
        let systems = [
            ("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"),
            ("Mac OS X", "macOS"), ("CrOS", "ChromeOS"), ("Linux", "Linux"), ("BSD", "BSD"),
        ]
        let name = names.first { self.agent.contains($0.0) }?.1 ?? "Another browser"
        let system = systems.first { self.agent.contains($0.0) }?.1
        return system.map { "\(name) on \($0)" } ?? name
    }
}

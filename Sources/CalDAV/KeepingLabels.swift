public import HTTP
internal import WebDAV

extension CalDAVClient {
    /// The text of ``keep(labels:in:)`` as the home was last listed; `nil` when it had none.
    public func labels(in home: URL) -> String? { self.homeLabels[home.pathKey] }

    /// Whether it is worth trying to keep labels there.
    ///
    /// A server that took them and does not have them when it is listed the next time keeps no such thing.
    public func mayKeepLabels(in home: URL) -> Bool {
        if self.capabilities.abilities[.keepsLabels] == true, self.homeLabels[home.pathKey] == nil {
            self.learn(.keepsLabels, false)
        }
        return self.capabilities.mayHave(.keepsLabels)
    }

    /// Keeps a text in a property of our own at a home (PROPPATCH, RFC 4918 §9.2).
    ///
    /// A server may refuse it; any other answer is a refusal that is remembered. Without an answer
    /// nothing is learned.
    public func keep(labels text: String, in home: URL) async {
        let headers: Headers = [.contentType: "application/xml; charset=utf-8"]
        let body = Proppatch(labels: LabelsProperty(text: text)).body
        do throws(CalDAVError) {
            let answer = try await self.send("PROPPATCH", to: home.asFolder, headers: headers, body: body)
            if let failure = try answer.failureOfOne { throw failure }
            self.learn(.keepsLabels, true)
            self.homeLabels[home.pathKey] = text
        } catch {
            guard error.transport == nil, error.code != .unauthorized, error.code != .busy else { return }
            self.learn(.keepsLabels, false)
        }
    }

    /// Remembers the text from a listing of a home.
    func note(labelsOf properties: PropertySet, in home: URL) {
        self.homeLabels[home.pathKey] = properties[LabelsProperty.self]?.text
    }
}

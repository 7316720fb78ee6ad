extension Reminder {
    /// The texts in which a search looks besides the title and the labels.
    package var searchTexts: SearchTexts {
        SearchTexts(place: self.location ?? "", link: self.link ?? "", notes: self.notes ?? "")
    }
}

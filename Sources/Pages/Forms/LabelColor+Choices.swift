import RemindavReminders

extension LabelColor {
    /// The name of a colour that is not in the palette.
    static let otherName = "as it is"

    /// The palette, and a colour that is not in it.
    static func choices(with present: LabelColor?) -> [(color: LabelColor, name: String)] {
        let palette = Self.palette.map { (color: $0.color, name: $0.name) }
        guard let present, !palette.contains(where: { $0.color == present }) else { return palette }
        return palette + [(color: present, name: Self.otherName)]
    }
}

/// How much of a text goes into a bubble.
enum BubbleLimits {
    /// Bytes of a title: a line, in any script.
    static let longestTitle = 1 << 10
    /// Bytes of a body, before it is escaped: a bubble shows a few lines of them.
    static let longestBody = 8 << 10
    /// Directions of writing that are open within each other: nobody nests three.
    static let maximumDirections = 16
    /// Buttons: three or four fit on a bubble.
    static let maximumActions = 16
    /// Bytes of the words on a button, and of the name of a service: a few words.
    static let longestLabel = 200
}

/// A wait for a result of another task, which has no event.
enum Waiting {
    /// The pause between two looks in milliseconds.
    private static let pause = 20

    /// Waits until a condition is true, or the time is over.
    static func until(seconds: Double, _ condition: () -> Bool) async {
        let end = ContinuousClock.now.advanced(by: .seconds(seconds))
        while !condition(), ContinuousClock.now < end { try? await Task.sleep(for: .milliseconds(Self.pause)) }
    }
}

/// Does some work for each element, several at a time.
///
/// - Parameters:
///   - limit: how many at the same time.
///   - work: runs in a task of its own.
///   - take: gets each outcome as it comes, in the order in which they end; when it returns `false`, no more work is
///     started; outcomes of started work are still passed.
package func forEachConcurrently<Element: Sendable, Outcome: Sendable>(
    _ elements: [Element],
    limit: Int,
    _ work: @escaping @Sendable (Element) async -> Outcome,
    take: (Element, Outcome) -> Bool
) async {
    // Nothing runs beside it.
    if elements.count == 1 {
        _ = take(elements[0], await work(elements[0]))
        return
    }
    await withTaskGroup(of: (Element, Outcome).self) { group in
        var waiting = elements[...]
        func begin(_ element: Element) { group.addTask { (element, await work(element)) } }
        for element in waiting.prefix(limit) { begin(element) }
        waiting = waiting.dropFirst(limit)
        var continues = true
        for await (element, outcome) in group {
            continues = take(element, outcome) && continues
            if continues, let next = waiting.popFirst() { begin(next) }
        }
    }
}

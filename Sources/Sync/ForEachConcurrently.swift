/// Calls `work` for each element, for at most `limit` elements at a time.
///
/// When a call of `work` ends, `receive` gets the outcome. After `receive` returns `false` or throws, `work` is not
/// called again, but the outcomes of running calls are still passed to `receive`. The last error of `receive` is
/// thrown at the end.
package func forEachConcurrently<Element: Sendable, Outcome: Sendable, WorkFailure: Error, Failure: Error>(
    _ elements: [Element],
    limit: Int,
    _ work: @escaping @Sendable (Element) async throws(WorkFailure) -> Outcome,
    receive: (Element, Result<Outcome, WorkFailure>) throws(Failure) -> Bool
) async throws(Failure) {
    @Sendable func run(_ element: Element) async -> (Element, Result<Outcome, WorkFailure>) {
        do throws(WorkFailure) {
            return (element, .success(try await work(element)))
        } catch {
            return (element, .failure(error))
        }
    }
    let failure = await withTaskGroup { group -> Failure? in
        var waiting = elements[...]
        for element in waiting.prefix(limit) { group.addTask { await run(element) } }
        waiting = waiting.dropFirst(limit)
        var (continues, failure) = (true, Failure?.none)
        for await (element, outcome) in group {
            do throws(Failure) {
                continues = try receive(element, outcome) && continues
            } catch {
                (continues, failure) = (false, error)
            }
            if continues, let next = waiting.popFirst() { group.addTask { await run(next) } }
        }
        return failure
    }
    if let failure { throw failure }
}

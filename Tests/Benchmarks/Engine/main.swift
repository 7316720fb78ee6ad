// Measures this engine. Tests/Benchmarks/engine.py runs it together with other programs.
//
//   EngineBenchmark parse|fields|values|rewrite|edit|format|split FILE
//   EngineBenchmark tree FILE                  reads the file into components and ends: for the peak of memory
//   EngineBenchmark stream FILE                the same in pieces
//   EngineBenchmark expand RULE COUNT START    the first COUNT occurrences; START as 20200101T090000
//   EngineBenchmark next COUNT RULE...         COUNT rules of these forms that begin in 2010: the first occurrence of
//                                              each after 2026-01-01T00:00:00

let words = CommandLine.arguments.dropFirst()
guard let task = words.first else { throw UsageError() }
switch (task, Array(words.dropFirst())) {
case ("expand", let operands) where operands.count == 3:
    guard let count = Int(operands[1]) else { throw UsageError() }
    try RuleTasks.expand(operands[0], count: count, start: operands[2])
case ("next", let operands) where operands.count >= 2:
    guard let count = Int(operands[0]) else { throw UsageError() }
    try RuleTasks.next(count: count, shapes: Array(operands[1...]))
case ("tree", let operands) where operands.count == 1:
    try TextTasks.tree(operands[0])
case ("stream", let operands) where operands.count == 1:
    try TextTasks.stream(operands[0])
case (_, let operands) where operands.count == 1:
    guard let run = TextTasks.named[task] else { throw UsageError() }
    run(try InputFile.contents(of: operands[0]))
default:
    throw UsageError()
}

struct UsageError: Error {}

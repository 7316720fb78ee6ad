import Glibc

/// Runs tasks that block on threads of its own.
///
/// Swift's own threads are as few as the cores. If a task on them waited for a database, it would stop other tasks, such
/// as those that read answers of servers.
@safe
package final class BlockingExecutor: TaskExecutor, @unchecked Sendable {
    private let threads: Int
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let added = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    // The following properties are used only while `mutex` is locked. This makes the class Sendable.
    private var jobs: [UnownedJob] = []
    private var next = 0
    private var started = 0
    private var idle = 0

    /// Creates an executor for the lifetime of the process; its threads never end.
    ///
    /// - Parameter threads: the maximum number of threads; a thread is started when none is free.
    package init(threads: Int) {
        self.threads = threads
        unsafe pthread_mutex_init(self.mutex, nil)
        unsafe pthread_cond_init(self.added, nil)
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        unsafe pthread_mutex_lock(self.mutex)
        self.jobs.append(job)
        let needsThread = self.jobs.count - self.next > self.idle && self.started < self.threads
        if needsThread { self.started += 1 }
        unsafe pthread_mutex_unlock(self.mutex)
        // A thread that wakes while the mutex is locked would have to wait again.
        unsafe pthread_cond_signal(self.added)
        guard needsThread else { return }
        // Without a new thread, the others run the job. The first thread must start.
        let hasStarted = startThread(named: "blocking", self.run)
        precondition(hasStarted || self.forgetThread() > 0, "no thread can be started")
    }

    private func forgetThread() -> Int {
        unsafe pthread_mutex_lock(self.mutex)
        defer { unsafe pthread_mutex_unlock(self.mutex) }
        self.started -= 1
        return self.started
    }

    private func run() {
        while true { unsafe self.take().runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    private func take() -> UnownedJob {
        unsafe pthread_mutex_lock(self.mutex)
        defer { unsafe pthread_mutex_unlock(self.mutex) }
        while self.next == self.jobs.count {
            self.jobs.removeAll(keepingCapacity: true)
            self.next = 0
            self.idle += 1
            unsafe pthread_cond_wait(self.added, self.mutex)
            self.idle -= 1
        }
        self.next += 1
        return self.jobs[self.next - 1]
    }
}

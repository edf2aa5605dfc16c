package dev.fairfleet.queue;

import dev.fairfleet.frontier.Task;
import dev.fairfleet.lease.Lease;
import java.time.Duration;

/**
 * A task that was received, and the right to work on it.
 *
 * @param dwell how long ago the task could first have been received, by the queue's own clock where
 *     it tells; zero for a task that was delivered before
 * @param hold how long from the receive until its slot; zero if that has begun, or there is none
 */
public record Delivery(Task task, Priority priority, Lease lease, Duration dwell, Duration hold) {}

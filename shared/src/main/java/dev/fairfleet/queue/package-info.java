/** Tasks in transit: what is sent, what a delivery is, and the port to the two queues. */
@NullMarked
package dev.fairfleet.queue;

import org.jspecify.annotations.NullMarked;

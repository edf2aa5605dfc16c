/** Every URL known and its state, and the port that claims, queues and settles. */
@NullMarked
package dev.fairfleet.frontier;

import org.jspecify.annotations.NullMarked;

/** How long a task is ours, when to extend, when to re-send. */
@NullMarked
package dev.fairfleet.lease;

import org.jspecify.annotations.NullMarked;

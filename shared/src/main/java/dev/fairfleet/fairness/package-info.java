/** How long a new task should wait so that nobody waits long because somebody else is big. */
@NullMarked
package dev.fairfleet.fairness;

import org.jspecify.annotations.NullMarked;

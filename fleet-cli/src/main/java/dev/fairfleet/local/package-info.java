/** The embedded services and the workers, started and stopped together. */
@NullMarked
package dev.fairfleet.local;

import org.jspecify.annotations.NullMarked;

/** Every meter, its unit and meaning, in one enum, and the line that reports them. */
@NullMarked
package dev.fairfleet.worker.metrics;

import org.jspecify.annotations.NullMarked;

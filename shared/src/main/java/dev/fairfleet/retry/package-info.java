/** What becomes of a failed fetch. */
@NullMarked
package dev.fairfleet.retry;

import org.jspecify.annotations.NullMarked;

/** An HTTP exchange becomes a {@code FetchOutcome}, with limits on bytes, time and addresses. */
@NullMarked
package dev.fairfleet.worker.fetch;

import org.jspecify.annotations.NullMarked;

/** What was extracted: natural keys, content hashes, what counts as changed. */
@NullMarked
package dev.fairfleet.record;

import org.jspecify.annotations.NullMarked;

/** HTML becomes links and records; jsoup stays in here. */
@NullMarked
package dev.fairfleet.worker.parse;

import org.jspecify.annotations.NullMarked;

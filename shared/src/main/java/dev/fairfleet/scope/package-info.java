/** Whether a URL may be crawled at all, and the name of the rule that decided. */
@NullMarked
package dev.fairfleet.scope;

import org.jspecify.annotations.NullMarked;

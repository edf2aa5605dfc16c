/** When a site may be asked next: the gate. */
@NullMarked
package dev.fairfleet.politeness;

import org.jspecify.annotations.NullMarked;

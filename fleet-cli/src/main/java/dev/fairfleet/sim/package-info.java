/** Models of the fleet in virtual time. */
@NullMarked
package dev.fairfleet.sim;

import org.jspecify.annotations.NullMarked;

/** The scheduled event becomes due sites, then roots in the high queue; no other logic. */
@NullMarked
package dev.fairfleet.seed;

import org.jspecify.annotations.NullMarked;

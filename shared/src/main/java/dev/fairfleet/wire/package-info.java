/** The JSON form of each message, and its version. */
@NullMarked
package dev.fairfleet.wire;

import org.jspecify.annotations.NullMarked;

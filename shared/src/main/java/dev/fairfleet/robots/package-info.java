/** robots.txt text in; rules and their freshness out (RFC 9309). */
@NullMarked
package dev.fairfleet.robots;

import org.jspecify.annotations.NullMarked;

/** What a fleet shares on Redis or Valkey: gates, windows, counts; the only code with scripts. */
@NullMarked
package dev.fairfleet.redis;

import org.jspecify.annotations.NullMarked;

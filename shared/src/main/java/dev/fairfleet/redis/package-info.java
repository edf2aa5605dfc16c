/** The gate and the served counts on Redis or Valkey; the only code that sees scripts. */
@NullMarked
package dev.fairfleet.redis;

import org.jspecify.annotations.NullMarked;

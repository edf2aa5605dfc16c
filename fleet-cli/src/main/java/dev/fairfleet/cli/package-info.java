/** The {@code fairfleet} command: one class a verb. */
@NullMarked
package dev.fairfleet.cli;

import org.jspecify.annotations.NullMarked;

/** The task queue on Amazon SQS; the only code that sees receipt handles. */
@NullMarked
package dev.fairfleet.sqs;

import org.jspecify.annotations.NullMarked;

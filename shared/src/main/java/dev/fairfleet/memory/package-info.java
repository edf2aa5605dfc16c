/**
 * Small real implementations of the ports, held to the same contracts as SQS, DynamoDB and Redis.
 */
@NullMarked
package dev.fairfleet.memory;

import org.jspecify.annotations.NullMarked;

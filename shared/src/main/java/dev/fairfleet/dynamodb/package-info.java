/** Sites, frontier and records on Amazon DynamoDB; the only code that sees attribute values. */
@NullMarked
package dev.fairfleet.dynamodb;

import org.jspecify.annotations.NullMarked;

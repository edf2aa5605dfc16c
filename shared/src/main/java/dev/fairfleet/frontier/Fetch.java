package dev.fairfleet.frontier;

import java.time.Duration;
import java.time.Instant;

/**
 * One exchange with a server, as the frontier remembers it.
 *
 * @param status HTTP status; 0 if no answer came
 * @param bytes decoded bytes of the body that were read
 * @param took from the request to the last byte read
 */
public record Fetch(int status, long bytes, Instant at, Duration took) {}

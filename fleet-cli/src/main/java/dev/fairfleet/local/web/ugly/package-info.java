/**
 * The ugly web: named hosts, each with one kind of trouble, and what a crawl should make of it.
 *
 * <p>One file per family, from {@link dev.fairfleet.local.web.ugly.UglyRobots} to {@link
 * dev.fairfleet.local.web.ugly.UglyThrottles}, lists its hosts; {@link
 * dev.fairfleet.local.web.ugly.UglyWeb} joins them. A new trouble is one more entry in one list.
 * Its expectations say what is right by the standards and by {@code docs/behaviour.md}.
 */
@NullMarked
package dev.fairfleet.local.web.ugly;

import org.jspecify.annotations.NullMarked;

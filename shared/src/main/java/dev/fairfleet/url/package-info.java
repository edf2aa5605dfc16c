/**
 * Turns a link into a canonical {@code CrawlUrl} and its {@code HostKey}; nowhere else does a raw
 * string become a URL.
 */
@NullMarked
package dev.fairfleet.url;

import org.jspecify.annotations.NullMarked;

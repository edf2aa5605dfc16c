/**
 * A fake web computed from seed and URL.
 *
 * <p>Nothing is stored per page: a page's text, links, price and validators are drawn from the hash
 * of seed, site and page number, as in BUbiNG's RandomNamedGraphServer. So a web of a million pages
 * costs no memory, every run sees the same one, and what a crawl should have found is known. Beside
 * the well-behaved {@link dev.fairfleet.local.web.TreeSite} and {@link
 * dev.fairfleet.local.web.Shop} stands the ugly web of the package {@code ugly}.
 */
@NullMarked
package dev.fairfleet.local.web;

import org.jspecify.annotations.NullMarked;

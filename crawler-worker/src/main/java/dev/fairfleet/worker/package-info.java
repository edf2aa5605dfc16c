/** The crawl loop: receive, admit, fetch, parse, claim, send, record, commit, delete. */
@NullMarked
package dev.fairfleet.worker;

import org.jspecify.annotations.NullMarked;

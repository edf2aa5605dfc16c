/** robots.txt files are fetched, believed for a while, and asked before every page. */
@NullMarked
package dev.fairfleet.worker.robots;

import org.jspecify.annotations.NullMarked;

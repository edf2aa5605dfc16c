/** What a site is: roots, scope, limits, extraction rules, state. */
@NullMarked
package dev.fairfleet.site;

import org.jspecify.annotations.NullMarked;

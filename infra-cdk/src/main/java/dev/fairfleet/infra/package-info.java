/** The AWS stack, in constructs named for what they are. */
@NullMarked
package dev.fairfleet.infra;

import org.jspecify.annotations.NullMarked;

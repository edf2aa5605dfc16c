/** Environment or file becomes a checked {@code WorkerConfig}. */
@NullMarked
package dev.fairfleet.worker.config;

import org.jspecify.annotations.NullMarked;

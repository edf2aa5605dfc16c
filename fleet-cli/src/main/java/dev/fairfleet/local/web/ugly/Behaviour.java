package dev.fairfleet.local.web.ugly;

import dev.fairfleet.local.web.Answer;

/** What an ugly host does at a path. */
@FunctionalInterface
interface Behaviour {
  /** Returns the answer to one request; called by many threads at once. */
  Answer answer(Visit visit);
}

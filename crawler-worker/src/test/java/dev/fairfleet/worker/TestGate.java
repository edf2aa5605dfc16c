package dev.fairfleet.worker;

import dev.fairfleet.politeness.Admission;
import dev.fairfleet.politeness.Gate;
import dev.fairfleet.politeness.GateLimits;
import dev.fairfleet.politeness.Reservation;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.HostKey;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** A gate that a test tells what to answer; slots begin at once, and a site rests as it asked. */
@FunctionalInterface
interface TestGate extends Gate {
  /** Grants everything. */
  TestGate OPEN = (site, host, limits) -> new Admission.Granted();

  /** Returns a gate that is another one each time it is asked. */
  static TestGate choosing(Supplier<TestGate> gates) {
    return new TestGate() {
      @Override
      public Admission admit(SiteId site, HostKey host, GateLimits limits) {
        return gates.get().admit(site, host, limits);
      }

      @Override
      public Reservation reserve(
          SiteId site, HostKey host, GateLimits limits, int slots, Duration within) {
        return gates.get().reserve(site, host, limits, slots, within);
      }
    };
  }

  /** Returns a gate whose slots all begin {@code after} from now. */
  static TestGate withSlotsIn(Duration after, TestGate answers) {
    return new TestGate() {
      @Override
      public Admission admit(SiteId site, HostKey host, GateLimits limits) {
        return answers.admit(site, host, limits);
      }

      @Override
      public Reservation reserve(
          SiteId site, HostKey host, GateLimits limits, int slots, Duration within) {
        return new Reservation.Reserved(
            after.compareTo(within) > 0 ? List.of() : Collections.nCopies(slots, after));
      }
    };
  }

  @Override
  default Admission look(SiteId site, HostKey host, GateLimits limits) {
    return admit(site, host, limits);
  }

  @Override
  default Reservation reserve(
      SiteId site, HostKey host, GateLimits limits, int slots, Duration within) {
    return new Reservation.Reserved(Collections.nCopies(slots, Duration.ZERO));
  }

  @Override
  default Optional<Duration> coolDown(
      SiteId site, GateLimits limits, Optional<Duration> retryAfter) {
    return Optional.of(retryAfter.orElse(Duration.ofSeconds(30)));
  }
}

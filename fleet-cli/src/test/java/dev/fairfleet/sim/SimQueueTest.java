package dev.fairfleet.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.lease.LeasePolicy;
import dev.fairfleet.sim.Scenario.Faults;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SimQueueTest {
  private static final long SECOND = World.SECOND;
  private static final LeasePolicy LEASES = new LeasePolicy(Duration.ofMinutes(2), 10);

  private final Timeline timeline = new Timeline();
  private final List<SimSite> sites = new ArrayList<>();
  private SimQueue queue = queue(Scenarios.small().build().faults(), true);

  private SimQueue queue(Faults faults, boolean fair) {
    return new SimQueue(timeline, new SplittableRandom(1), faults, LEASES, fair);
  }

  private SimMessage message(int site) {
    while (sites.size() <= site) {
      sites.add(
          new SimSite(sites.size(), 10, 3_600, Duration.ZERO, new SplittableRandom(sites.size())));
    }
    return new SimMessage(sites.get(site), 0, 0, false, 0);
  }

  private SimMessage send(int site, long delay) {
    SimMessage message = message(site);
    queue.send(message, delay);
    return message;
  }

  private void pass(long time) {
    boolean[] over = new boolean[1];
    timeline.in(time, () -> over[0] = true);
    while (!over[0]) {
      timeline.step();
    }
  }

  private List<SimLease> receive(int max) {
    List<SimLease> received = new ArrayList<>();
    queue.receive(max, 0, received::addAll);
    return received;
  }

  private SimLease receiveOne() {
    List<SimLease> received = receive(1);
    assertThat(received).hasSize(1);
    return received.getFirst();
  }

  private void giveBack(SimLease lease) {
    queue.change(lease, 0);
    pass(0);
  }

  @Test
  void send_withDelay_isVisibleFromThenOn() {
    send(0, 10 * SECOND);
    pass(10 * SECOND - 1);
    assertThat(receive(10)).isEmpty();
    assertThat(queue.delayed()).isEqualTo(1);
    pass(1);
    assertThat(receive(10)).hasSize(1);
    assertThat(queue.delayed()).isZero();
  }

  @Test
  void receive_leaseRunsOut_deliversAgain() {
    send(0, 0);
    pass(0);
    assertThat(receiveOne().receives).isEqualTo(1);
    pass(120 * SECOND - 1);
    assertThat(receive(10)).isEmpty();
    pass(1);
    assertThat(receiveOne().receives).isEqualTo(2);
  }

  @Test
  void change_heldLease_movesItsEnd() {
    send(0, 0);
    pass(0);
    SimLease lease = receiveOne();
    queue.change(lease, 300 * SECOND);
    pass(300 * SECOND - 1);
    assertThat(queue.inFlight()).isEqualTo(1);
    pass(1);
    assertThat(queue.inFlight()).isZero();
    assertThat(queue.visible()).isEqualTo(1);
  }

  @Test
  void changeAndDelete_byAnOlderLease_changeNothing() {
    send(0, 0);
    pass(0);
    SimLease older = receiveOne();
    pass(120 * SECOND);
    SimLease newer = receiveOne();
    queue.change(older, 0);
    queue.delete(older);
    pass(SECOND);
    assertThat(queue.inFlight()).isEqualTo(1);
    queue.delete(newer);
    assertThat(queue.inFlight()).isZero();
    pass(600 * SECOND);
    assertThat(receive(10)).isEmpty();
  }

  @Test
  void delete_expiredButNotReceivedAgain_deletes() {
    SimMessage message = send(0, 0);
    pass(0);
    SimLease lease = receiveOne();
    pass(121 * SECOND);
    assertThat(queue.visible()).isEqualTo(1);
    queue.delete(lease);
    assertThat(queue.visible()).isZero();
    assertThat(message.site.inSqs).isZero();
    assertThat(receive(10)).isEmpty();
  }

  @Test
  void receive_longPoll_wakesWhenATaskAppears() {
    List<Long> at = new ArrayList<>();
    queue.receive(10, 20 * SECOND, leases -> at.add(leases.isEmpty() ? -1 : timeline.now()));
    send(0, 5 * SECOND);
    pass(60 * SECOND);
    assertThat(at).hasSize(1).allMatch(time -> time >= 5 * SECOND && time < 5.1 * SECOND);
  }

  @Test
  void receive_longPollOnEmptyQueue_returnsNothingAfterItsWait() {
    List<Long> at = new ArrayList<>();
    queue.receive(10, 20 * SECOND, leases -> at.add(leases.isEmpty() ? timeline.now() : -1));
    pass(60 * SECOND);
    assertThat(at).containsExactly(20 * SECOND);
  }

  @Test
  void giveBack_receivedTwice_keepsItsPlace() {
    SimMessage first = send(0, 0);
    SimMessage second = send(1, 10 * SECOND);
    pass(20 * SECOND);
    for (int i = 0; i < 2; i++) {
      SimLease lease = receiveOne();
      assertThat(lease.message).isSameAs(first);
      giveBack(lease);
    }
    assertThat(receive(2)).extracting(lease -> lease.message).containsExactly(first, second);
  }

  @Test
  void giveBack_receivedThreeTimes_goesToTheBack() {
    SimMessage first = send(0, 0);
    SimMessage second = send(1, 10 * SECOND);
    pass(20 * SECOND);
    for (int i = 0; i < 3; i++) {
      giveBack(receiveOne());
    }
    assertThat(receive(2)).extracting(lease -> lease.message).containsExactly(second, first);
  }

  @Test
  void receive_deliveredTooOften_deadLettersIt() {
    send(0, 0);
    pass(0);
    for (int i = 0; i < LEASES.maxReceiveCount(); i++) {
      giveBack(receiveOne());
    }
    assertThat(queue.deadLetters()).isZero();
    assertThat(receive(10)).isEmpty();
    assertThat(queue.deadLetters()).isEqualTo(1);
  }

  @Test
  void receive_atTheQuota_isSilentUntilSomeIsDone() {
    queue = queue(Scenarios.small().inFlightQuota(2).build().faults(), true);
    for (int i = 0; i < 3; i++) {
      send(i, 0);
    }
    pass(0);
    List<SimLease> held = receive(10);
    assertThat(held).hasSize(2);
    assertThat(receive(10)).isEmpty();
    List<SimLease> woken = new ArrayList<>();
    queue.receive(10, 20 * SECOND, woken::addAll);
    pass(10 * SECOND);
    assertThat(woken).isEmpty();
    queue.delete(held.getFirst());
    pass(SECOND);
    assertThat(woken).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    // Of the site's own, of others: 30 and more than a tenth make it noisy.
    "29,0,false",
    "30,0,true",
    "30,270,false",
    "30,269,true",
    "31,270,true"
  })
  void receive_siteWithManyInFlight_isServedAfterTheOthers(int own, int others, boolean isNoisy) {
    for (int i = 0; i < own; i++) {
      send(0, 0);
    }
    for (int i = 0; i < others; i++) {
      send(1 + i % 10, 0);
    }
    pass(0);
    assertThat(receive(own + others)).hasSize(own + others);
    SimMessage older = send(0, 0);
    pass(10 * SECOND);
    SimMessage newer = send(99, 0);
    pass(0);
    assertThat(receiveOne().message).isSameAs(isNoisy ? newer : older);
  }

  @Test
  void receive_siteThatTookMostOfTheTime_isServedAfterTheOthers() {
    send(0, 0);
    pass(0);
    SimLease slow = receiveOne();
    pass(60 * SECOND);
    queue.delete(slow);
    send(0, 0);
    pass(10 * SECOND);
    SimMessage newer = send(1, 0);
    pass(0);
    assertThat(receiveOne().message).isSameAs(newer);
  }

  @Test
  void receive_noisyOnceButQuietSince_isServedByAgeAgain() {
    send(0, 0);
    send(1, 0);
    pass(0);
    List<SimLease> both = receive(2);
    pass(SECOND);
    both.stream().filter(lease -> lease.message.site.index == 0).forEach(queue::delete);
    SimMessage older = send(0, 0);
    pass(30 * SECOND);
    // Now the other's share is thirty times as large, and the first one's too small to matter.
    both.stream().filter(lease -> lease.message.site.index == 1).forEach(queue::delete);
    send(2, 0);
    pass(0);
    assertThat(receiveOne().message).isSameAs(older);
  }

  @Test
  void receive_withoutMessageGroups_isByAgeAlone() {
    queue = queue(Faults.NONE, false);
    for (int i = 0; i < 50; i++) {
      send(0, 0);
    }
    pass(0);
    assertThat(receive(50)).hasSize(50);
    SimMessage older = send(0, 0);
    pass(10 * SECOND);
    send(1, 0);
    pass(0);
    assertThat(receiveOne().message).isSameAs(older);
  }

  @Test
  void receive_copyByMistake_isAnotherMessageThatDeletesDoNotReach() {
    queue = queue(Scenarios.small().duplicates(1).build().faults(), true);
    SimMessage message = send(0, 0);
    pass(0);
    queue.delete(receiveOne());
    assertThat(queue.copies()).isEqualTo(1);
    assertThat(queue.inFlight()).isZero();
    pass(6 * SECOND);
    SimLease copy = receiveOne();
    assertThat(copy.message).isNotSameAs(message);
    assertThat(copy.message.page).isEqualTo(message.page);
    assertThat(copy.receives).isEqualTo(1);
    queue.delete(copy);
    assertThat(queue.inFlight()).isZero();
    assertThat(message.site.inSqs).isZero();
  }

  @Test
  void send_late_appearsWithinAMinuteOfItsTime() {
    queue = queue(Scenarios.small().late(1).build().faults(), true);
    for (int i = 0; i < 20; i++) {
      send(0, 10 * SECOND);
    }
    pass(11 * SECOND);
    assertThat(queue.visible()).isLessThan(10);
    pass(60 * SECOND);
    assertThat(queue.visible()).isEqualTo(20);
  }

  @Test
  void purge_ofAllStates_leavesNothingAndNoLeaseCounts() {
    send(0, 0);
    send(0, 0);
    send(0, 10 * SECOND);
    pass(0);
    SimLease lease = receiveOne();
    queue.purge();
    assertThat(List.of(queue.visible(), queue.inFlight(), queue.delayed())).containsOnly(0);
    queue.change(lease, 0);
    queue.delete(lease);
    pass(600 * SECOND);
    assertThat(receive(10)).isEmpty();
    assertThat(List.of(queue.visible(), queue.inFlight(), queue.delayed())).containsOnly(0);
    SimMessage afterwards = send(0, 0);
    pass(0);
    assertThat(receiveOne().message).isSameAs(afterwards);
  }
}

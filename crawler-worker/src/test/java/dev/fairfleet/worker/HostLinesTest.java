package dev.fairfleet.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.url.HostKey;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class HostLinesTest {
  private static final HostKey A = CrawlUrl.of("http://a.test/").hostKey();
  private static final HostKey B = CrawlUrl.of("http://b.test/").hostKey();

  private final HostLines lines = new HostLines(2);
  private final List<String> heads = new CopyOnWriteArrayList<>();

  /** A task that joins the line of A, and stays at its head until told. */
  private final class Queueing {
    private final String name;
    private final CountDownLatch leaveHead = new CountDownLatch(1);
    private final CountDownLatch close = new CountDownLatch(1);
    private final Thread thread;

    Queueing(String name) {
      this.name = name;
      this.thread = Thread.startVirtualThread(this::live);
      await(name).until(() -> heads.contains(name) || isWaiting());
    }

    private void live() {
      try (HostLines.Visit visit = lines.enter(A)) {
        visit.awaitHead();
        heads.add(name);
        leaveHead.await();
        visit.leaveHead();
        close.await();
      } catch (InterruptedException e) {
        heads.add(name + " interrupted");
      }
    }

    boolean isWaiting() {
      return thread.getState() == Thread.State.WAITING;
    }

    void end() throws InterruptedException {
      leaveHead.countDown();
      close.countDown();
      thread.join();
    }
  }

  @Test
  void awaitHead_othersBefore_comesForwardInTheOrderOfTheLine() throws InterruptedException {
    Queueing first = new Queueing("first");
    Queueing second = new Queueing("second");
    Queueing third = new Queueing("third");
    assertThat(heads).containsExactly("first");

    first.leaveHead.countDown();
    await().until(() -> heads.size() == 2);
    second.end();
    await().until(() -> heads.size() == 3);
    assertThat(heads).containsExactly("first", "second", "third");
    first.end();
    third.end();
  }

  @Test
  void awaitHead_asManyPagesAtWorkAsMayBe_waitsUntilOneEnds() throws InterruptedException {
    Queueing first = new Queueing("first");
    first.leaveHead.countDown();
    Queueing second = new Queueing("second");
    second.leaveHead.countDown();
    Queueing third = new Queueing("third");
    assertThat(heads).containsExactly("first", "second");
    assertThat(third.isWaiting()).isTrue();

    second.end();
    await().until(() -> heads.contains("third"));
    first.end();
    third.end();
  }

  @Test
  void awaitHead_otherHost_waitsForNobody() throws InterruptedException {
    Queueing first = new Queueing("first");
    try (HostLines.Visit visit = lines.enter(B)) {
      visit.awaitHead();
    }
    first.end();
  }

  @Test
  void close_interruptedInLine_leavesNothingTaken() throws InterruptedException {
    Queueing first = new Queueing("first");
    Queueing second = new Queueing("second");
    second.thread.interrupt();
    second.thread.join();
    assertThat(heads).containsExactly("first", "second interrupted");
    first.end();

    for (int i = 0; i < 5; i++) {
      try (HostLines.Visit visit = lines.enter(A)) {
        visit.awaitHead();
      }
    }
    assertThat(lines.hosts()).isZero();
  }

  @Test
  void close_atHead_letsTheNextForwardOnce() throws InterruptedException {
    Queueing first = new Queueing("first");
    assertThat(lines.hosts()).isEqualTo(1);
    first.end();
    Queueing second = new Queueing("second");
    Queueing third = new Queueing("third");
    assertThat(heads).containsExactly("first", "second");
    second.end();
    third.end();
    assertThat(lines.hosts()).isZero();
  }

  /** Who is of no use to a fetch slot: all but those at work and those that could be. */
  @Test
  void waiting_tasksInLine_countsThoseThatCouldNotStart() throws InterruptedException {
    assertThat(lines.waiting()).isZero();
    Queueing first = new Queueing("first");
    Queueing second = new Queueing("second");
    assertThat(lines.waiting()).isZero();
    Queueing third = new Queueing("third");
    assertThat(lines.waiting()).isEqualTo(1);
    first.end();
    assertThat(lines.waiting()).isZero();
    second.end();
    third.end();
    assertThat(lines.waiting()).isZero();
  }

  @Test
  void waiting_headWaitsForItsTurn_countsAllOfTheLine() throws InterruptedException {
    try (HostLines.Visit head = lines.enter(A)) {
      head.awaitHead();
      Queueing next = new Queueing("next");
      assertThat(lines.waiting()).isZero();
      head.waitsForTurn(true);
      assertThat(lines.waiting()).isEqualTo(2);
      head.waitsForTurn(false);
      assertThat(lines.waiting()).isZero();
      head.leaveHead();
      next.end();
    }
  }
}

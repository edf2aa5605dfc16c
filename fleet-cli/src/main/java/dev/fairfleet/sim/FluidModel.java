package dev.fairfleet.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The ideal that fairness is measured against: sites served like fluids, by max-min sharing.
 *
 * <p>At every moment the fleet's capacity is shared equally among the unfinished sites, but none
 * gets more than its own limit allows, and what it leaves is shared among the others (progressive
 * filling: Bertsekas and Gallager, "Data Networks", section 6.5.2). No real scheduler finishes a
 * site's last page much earlier without another site paying for it.
 *
 * @param capacity pages that the whole fleet can serve in a second, positive
 */
public record FluidModel(double capacity) {
  /**
   * A site as a fluid.
   *
   * @param pages all there are from the start, not negative
   * @param limit most pages of it in a second, positive
   */
  public record Flow(double pages, double limit) {}

  /**
   * @throws IllegalArgumentException if the capacity is not positive
   */
  public FluidModel {
    if (!(capacity > 0)) {
      throw new IllegalArgumentException("A fleet's capacity is positive, not " + capacity);
    }
  }

  /** Returns when each flow ends, in seconds from the start, in the order given. */
  public List<Double> finishTimes(List<Flow> flows) {
    double[] left = flows.stream().mapToDouble(Flow::pages).toArray();
    double[] finish = new double[left.length];
    List<Integer> open =
        new ArrayList<>(IntStream.range(0, left.length).filter(i -> left[i] > 0).boxed().toList());
    double now = 0;
    while (!open.isEmpty()) {
      double[] rates = rates(flows, open);
      double step = Double.POSITIVE_INFINITY;
      for (int i = 0; i < open.size(); i++) {
        step = Math.min(step, left[open.get(i)] / rates[i]);
      }
      now += step;
      List<Integer> still = new ArrayList<>();
      for (int i = 0; i < open.size(); i++) {
        int flow = open.get(i);
        left[flow] -= rates[i] * step;
        if (left[flow] > 1e-9 * flows.get(flow).pages()) {
          still.add(flow);
        } else {
          finish[flow] = now;
        }
      }
      open = still;
    }
    return IntStream.range(0, finish.length).mapToObj(i -> finish[i]).toList();
  }

  /** Returns the rate of each open flow: its limit, or an equal share of what the others leave. */
  private double[] rates(List<Flow> flows, List<Integer> open) {
    double[] rates = new double[open.size()];
    List<Integer> byLimit =
        IntStream.range(0, open.size())
            .boxed()
            .sorted(
                (a, b) ->
                    Double.compare(flows.get(open.get(a)).limit(), flows.get(open.get(b)).limit()))
            .toList();
    double rest = capacity;
    int sharers = open.size();
    for (int i : byLimit) {
      rates[i] = Math.min(flows.get(open.get(i)).limit(), rest / sharers);
      rest -= rates[i];
      sharers--;
    }
    return rates;
  }
}

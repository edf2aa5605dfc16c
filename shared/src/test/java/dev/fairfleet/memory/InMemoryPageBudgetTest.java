package dev.fairfleet.memory;

import dev.fairfleet.politeness.PageBudget;
import dev.fairfleet.politeness.PageBudgetContract;

class InMemoryPageBudgetTest extends PageBudgetContract {
  private final InMemoryPageBudget budget = new InMemoryPageBudget();

  @Override
  protected PageBudget budget() {
    return budget;
  }
}

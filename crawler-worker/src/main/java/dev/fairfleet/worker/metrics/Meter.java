package dev.fairfleet.worker.metrics;

/** Everything that a worker counts. */
public enum Meter {
  TASK_RECEIVED("crawler.task.received", Unit.COUNT, "Tasks delivered, every delivery counted"),
  TASK_UNREADABLE("crawler.task.unreadable", Unit.COUNT, "Messages moved to a dead-letter queue"),
  TASK_GRANTED("crawler.task.granted", Unit.COUNT, "Tasks that the gate let through"),
  TASK_THROTTLED(
      "crawler.task.throttled", Unit.COUNT, "Tasks whose turn had not come when they asked"),
  TASK_PARKED("crawler.task.parked", Unit.COUNT, "Tasks parked until a new slot"),
  TASK_STALE("crawler.task.stale", Unit.COUNT, "Tasks dropped: settled already, or sent again"),
  TASK_DROPPED("crawler.task.dropped", Unit.COUNT, "Tasks dropped: their site is stopped"),
  TASK_RENEWED("crawler.task.renewed", Unit.COUNT, "Tasks sent afresh near the redrive limit"),
  TASK_GIVEN_BACK("crawler.task.givenBack", Unit.COUNT, "Tasks given back unfinished"),
  TASK_DWELL("crawler.task.dwell", Unit.MILLISECONDS, "Sum of dwell times of first deliveries"),
  GATE_UNAVAILABLE("crawler.gate.unavailable", Unit.COUNT, "Tasks parked because the gate is away"),
  PAGE_CLAIMED("crawler.page.claimed", Unit.COUNT, "URLs new to their crawl, or sent again"),
  PAGE_SHELVED("crawler.page.shelved", Unit.COUNT, "Pages put on the shelf"),
  PAGE_UNSHELVED("crawler.page.unshelved", Unit.COUNT, "Pages taken from the shelf"),
  PAGE_RECALLED("crawler.page.recalled", Unit.COUNT, "Known pages sent again without a claim"),
  PAGE_RESENT("crawler.page.resent", Unit.COUNT, "Pages whose task was lost, to be sent again"),
  PAGE_DONE("crawler.page.done", Unit.COUNT, "Pages settled as DONE"),
  PAGE_GONE("crawler.page.gone", Unit.COUNT, "Pages settled as GONE"),
  PAGE_SKIPPED("crawler.page.skipped", Unit.COUNT, "Pages settled as SKIPPED"),
  PAGE_FAILED("crawler.page.failed", Unit.COUNT, "Pages settled as FAILED"),
  PAGE_OVER_BUDGET("crawler.page.overBudget", Unit.COUNT, "Links left out by a page limit"),
  LINK_REFUSED("crawler.link.refused", Unit.COUNT, "Links that a rule refused, seen again or not"),
  FETCH_STARTED("crawler.fetch.started", Unit.COUNT, "Requests for pages"),
  FETCH_NOT_MODIFIED("crawler.fetch.notModified", Unit.COUNT, "Answers 304"),
  FETCH_THROTTLED("crawler.fetch.throttled", Unit.COUNT, "Answers 429 and 503"),
  FETCH_FAILED("crawler.fetch.failed", Unit.COUNT, "Failed attempts"),
  FETCH_BYTES("crawler.fetch.bytes", Unit.BYTES, "Decoded bytes of bodies"),
  RECORD_CREATED("crawler.record.created", Unit.COUNT, "Records stored first"),
  RECORD_CHANGED("crawler.record.changed", Unit.COUNT, "Records whose content changed"),
  RECORD_RETURNED("crawler.record.returned", Unit.COUNT, "Deleted records that were seen again"),
  RECORD_DELETED("crawler.record.deleted", Unit.COUNT, "Records that got a tombstone"),
  RECORD_UNCHANGED("crawler.record.unchanged", Unit.COUNT, "Records that were stored already"),
  CRAWL_ENDED("crawler.crawl.ended", Unit.COUNT, "Crawls that came to their end"),
  SITE_STOPPED("crawler.site.stopped", Unit.COUNT, "Sites stopped by the circuit breaker"),
  WORK_TIME(
      "crawler.work.time",
      Unit.MILLISECONDS,
      "Sum of the times that pages, robots.txt files and dropped tasks were at work, turns awaited"
          + " at the wire included"),
  WORK_TIME_STOPPED(
      "crawler.work.timeStopped", Unit.MILLISECONDS, "Of that, after their site was stopped"),
  SQS_RECEIVE("crawler.sqs.receive", Unit.COUNT, "ReceiveMessage requests"),
  SQS_SEND("crawler.sqs.send", Unit.COUNT, "SendMessageBatch and SendMessage requests"),
  SQS_DELETE("crawler.sqs.delete", Unit.COUNT, "DeleteMessageBatch and DeleteMessage requests"),
  SQS_VISIBILITY("crawler.sqs.visibility", Unit.COUNT, "ChangeMessageVisibility requests"),
  SQS_OTHER("crawler.sqs.other", Unit.COUNT, "Other requests to SQS"),
  DYNAMODB_REQUESTS("crawler.dynamodb.requests", Unit.COUNT, "Requests to DynamoDB"),
  DYNAMODB_READ_UNITS("crawler.dynamodb.readUnits", Unit.NONE, "Read units consumed"),
  DYNAMODB_WRITE_UNITS("crawler.dynamodb.writeUnits", Unit.NONE, "Write units consumed"),
  PAGES_WRITES("crawler.dynamodb.pagesWrites", Unit.COUNT, "Writes to pages, failed ones too"),
  RECORDS_WRITES(
      "crawler.dynamodb.recordsWrites", Unit.COUNT, "Writes to records, failed ones too"),
  SITES_WRITES("crawler.dynamodb.sitesWrites", Unit.COUNT, "Writes to sites, failed ones too");

  /** A unit of CloudWatch (API reference, MetricDatum). */
  public enum Unit {
    COUNT("Count"),
    BYTES("Bytes"),
    MILLISECONDS("Milliseconds"),
    NONE("None");

    private final String cloudWatchName;

    Unit(String cloudWatchName) {
      this.cloudWatchName = cloudWatchName;
    }

    String cloudWatchName() {
      return cloudWatchName;
    }
  }

  private final String meterName;
  private final Unit unit;
  private final String meaning;

  Meter(String meterName, Unit unit, String meaning) {
    this.meterName = meterName;
    this.unit = unit;
    this.meaning = meaning;
  }

  /** Returns the name in logs, metrics and documentation. */
  public String meterName() {
    return meterName;
  }

  /** Returns what one of it is. */
  public Unit unit() {
    return unit;
  }

  /** Returns what is counted, for people. */
  public String meaning() {
    return meaning;
  }
}

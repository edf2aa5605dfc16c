package dev.fairfleet.dynamodb;

/** Says that an item was written by a newer version of this program, and so was left as it is. */
public final class NewerVersionException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NewerVersionException(String table, String key, long found, int read) {
    super(
        "Item "
            + key
            + " of table "
            + table
            + " has version "
            + found
            + ", and this program reads versions up to "
            + read
            + ". It was not changed. Upgrade this program to the one that wrote it");
  }
}

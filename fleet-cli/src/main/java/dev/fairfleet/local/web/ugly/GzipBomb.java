package dev.fairfleet.local.web.ugly;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/**
 * A megabyte that unpacks to a gibibyte of zeros: one gzip member (RFC 1952) whose deflate stream
 * (RFC 1951) is the same block again and again, as a block that only refers to itself can be
 * repeated.
 */
final class GzipBomb {
  private static final int BLOCK_BYTES = 1 << 24;
  private static final int BLOCKS = 64; // of 16 MiB each: 1 GiB
  private static final byte[] BYTES = make();

  private GzipBomb() {}

  static byte[] bytes() {
    return BYTES.clone();
  }

  private static byte[] make() {
    byte[] zeros = new byte[BLOCK_BYTES];
    byte[] packed = new byte[BLOCK_BYTES / 500];
    Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
    deflater.setInput(zeros);
    byte[] block =
        Arrays.copyOf(packed, deflater.deflate(packed, 0, packed.length, Deflater.SYNC_FLUSH));
    deflater.end();
    CRC32 crc = new CRC32();
    for (int i = 0; i < BLOCKS; i++) {
      crc.update(zeros);
    }
    byte[] start = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 0xff};
    ByteBuffer all =
        ByteBuffer.allocate(start.length + BLOCKS * block.length + 10)
            .order(ByteOrder.LITTLE_ENDIAN)
            .put(start);
    for (int i = 0; i < BLOCKS; i++) {
      all.put(block);
    }
    return all.put((byte) 3) // the last block, empty
        .put((byte) 0)
        .putInt((int) crc.getValue())
        .putInt(BLOCK_BYTES * BLOCKS)
        .array();
  }
}

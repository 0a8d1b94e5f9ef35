package io.switchyard.client;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The body of a reply, which fails when nothing of it arrives for too long. */
final class WatchedStream extends FilterInputStream {
    private static final ScheduledThreadPoolExecutor WATCH = new ScheduledThreadPoolExecutor(1, task -> {
        Thread thread = new Thread(task, "switchyard-timeouts");
        thread.setDaemon(true);
        return thread;
    });

    static {
        WATCH.setRemoveOnCancelPolicy(true);
    }

    private final Duration longest;
    private volatile boolean silent;

    WatchedStream(InputStream body, Duration longest) {
        super(body);
        this.longest = longest;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        ScheduledFuture<?> end = WATCH.schedule(this::giveUp, longest.toMillis(), TimeUnit.MILLISECONDS);
        int count;
        try {
            count = super.read(buffer, offset, length);
        } catch (IOException failure) {
            throw silent ? tooLong() : failure;
        } finally {
            end.cancel(false);
        }
        if (silent) {
            throw tooLong();
        }
        return count;
    }

    private void giveUp() {
        silent = true;
        try {
            close();
        } catch (IOException ignored) {
            // It is given up in any case.
        }
    }

    private static IOException tooLong() {
        return new InterruptedIOException("the server was silent for too long");
    }
}

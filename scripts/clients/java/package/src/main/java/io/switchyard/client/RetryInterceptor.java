package io.switchyard.client;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.ThreadLocalRandom;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.Response;

/**
 * Repeats a request after an error reply that says <code>"retryable": true</code>, as long as the server asks to wait
 * (<code>Retry-After</code>) or else after 0.5 s, 1 s, 2 s, … with jitter. A reply with <code>x-should-retry: false</code>
 * is final. A connection that failed is tried again for GET only, since another request may have been carried out.
 */
final class RetryInterceptor implements Interceptor {
    /** Waits longer than this are the caller's to decide. */
    private static final long LONGEST_WAIT_MS = 60_000;
    private static final long LONGEST_ERROR_BYTES = 1 << 20;

    private final int maxRetries;

    RetryInterceptor(int maxRetries) {
        this.maxRetries = maxRetries;
    }

    @Override
    public Response intercept(Chain chain) throws IOException {
        Request request = chain.request();
        for (int attempt = 0;; attempt++) {
            long wait = (long) (500 * (1L << attempt) * ThreadLocalRandom.current().nextDouble(0.75, 1.25));
            try {
                Response response = chain.proceed(request);
                if (response.isSuccessful() || attempt >= maxRetries || !isRetryable(response)) {
                    return response;
                }
                String asked = response.header("retry-after");
                if (asked != null) {
                    wait = 1000 * Long.parseLong(asked);
                }
                if (wait > LONGEST_WAIT_MS) {
                    return response;
                }
                response.close();
            } catch (IOException failure) {
                if (attempt >= maxRetries || !request.method().equals("GET") || chain.call().isCanceled()) {
                    throw failure;
                }
            }
            try {
                Thread.sleep(wait);
            } catch (InterruptedException interruption) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException();
            }
        }
    }

    private static boolean isRetryable(Response response) throws IOException {
        if ("false".equals(response.header("x-should-retry"))) {
            return false;
        }
        String body = response.peekBody(LONGEST_ERROR_BYTES).string();
        return SwitchyardClient.errorIn(body)
            .map(error -> Boolean.TRUE.equals(error.getRetryable()))
            .orElse(response.code() >= 502);
    }
}

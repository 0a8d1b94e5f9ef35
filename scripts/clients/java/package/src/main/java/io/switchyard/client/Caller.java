package io.switchyard.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/** Carries operations out. Every error reply is thrown as a {@link SwitchyardException}. */
public final class Caller {
    /** Waits longer than this are the caller's to decide. */
    private static final long LONGEST_WAIT_MS = 60_000;
    private static final int LONGEST_ERROR_BYTES = 1 << 20;

    private final String baseUrl;
    private final String apiKey;
    private final int maxRetries;
    private final Duration timeout;
    private final Map<String, String> headers;
    private final Transport transport;

    Caller(String baseUrl, String apiKey, int maxRetries, Duration timeout, Map<String, String> headers, Transport transport) {
        this.baseUrl = baseUrl.replaceAll("/$", "");
        this.apiKey = apiKey;
        this.maxRetries = maxRetries;
        this.timeout = timeout;
        this.headers = headers;
        this.transport = transport;
    }

    /** An operation whose reply is JSON, or plain text for a String, or nothing. */
    public <T> T call(Operation operation, Class<T> type) {
        try (InputStream body = open(operation, "application/json, text/plain;q=0.9").body()) {
            String text = new String(body.readAllBytes(), StandardCharsets.UTF_8);
            return type == String.class ? type.cast(text) : Json.GSON.fromJson(text, type);
        } catch (IOException failure) {
            throw new SwitchyardException.Connection(failure);
        }
    }

    /** An operation whose reply is a file. */
    public Download download(Operation operation) {
        Reply response = open(operation, "*/*");
        return new Download(response.body(), response.headers());
    }

    /** An operation whose reply is a stream of events. */
    public <E> EventStream<E> stream(Operation operation, Class<E> type) {
        Reply response = open(operation, "text/event-stream");
        return new EventStream<>(response, type);
    }

    /**
     * Sends a request until it is answered or no retry is worth it. An error reply that says
     * <code>"retryable": true</code> is, as long as the server asks to wait (<code>Retry-After</code>) or else after 0.5 s,
     * 1 s, 2 s, … with jitter. A reply with <code>x-should-retry: false</code> is final. A connection that failed is tried
     * again for GET only, since another request may have been carried out.
     */
    private Reply open(Operation operation, String accept) {
        HttpRequest request = requestOf(operation, accept);
        for (int attempt = 0;; attempt++) {
            long wait = (long) (500 * (1L << attempt) * ThreadLocalRandom.current().nextDouble(0.75, 1.25));
            try {
                Reply response = attempt(request);
                if (response.status() < 300) {
                    return response;
                }
                SwitchyardException error = errorOf(response);
                wait = error.getRetryAfter().map(seconds -> 1000 * seconds).orElse(wait);
                boolean mayRetry = error.isRetryable()
                    && !response.headers().firstValue("x-should-retry").orElse("").equals("false");
                if (!mayRetry || attempt >= maxRetries || wait > LONGEST_WAIT_MS) {
                    throw error;
                }
            } catch (IOException failure) {
                if (attempt >= maxRetries || !request.method().equals("GET")) {
                    throw new SwitchyardException.Connection(failure);
                }
            }
            pause(wait);
        }
    }

    private HttpRequest requestOf(Operation operation, String accept) {
        boolean sends = operation.body != null;
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(baseUrl + operation.target()))
            .method(operation.method, sends
                ? BodyPublishers.ofString(Json.GSON.toJson(operation.body))
                : BodyPublishers.noBody())
            .timeout(timeout)
            .setHeader("Accept", accept);
        if (sends) {
            request.setHeader("Content-Type", "application/json");
        }
        if (apiKey != null && operation.credentials.equals("apiKeyAuth")) {
            request.setHeader("X-API-Key", apiKey);
        } else if (apiKey != null && !operation.credentials.isEmpty()) {
            request.setHeader("Authorization", "Bearer " + apiKey);
        }
        headers.forEach(request::setHeader);
        return request.build();
    }

    private Reply attempt(HttpRequest request) throws IOException {
        try {
            HttpResponse<InputStream> response = transport.send(request);
            return new Reply(response.statusCode(), response.headers(), new WatchedStream(response.body(), timeout));
        } catch (InterruptedException interruption) {
            throw interrupted(interruption);
        }
    }

    private static SwitchyardException errorOf(Reply response) throws IOException {
        try (InputStream body = response.body()) {
            String text = new String(body.readNBytes(LONGEST_ERROR_BYTES), StandardCharsets.UTF_8);
            return SwitchyardException.of(response.status(), response.headers(), text);
        }
    }

    private static void pause(long milliseconds) {
        try {
            Thread.sleep(milliseconds);
        } catch (InterruptedException interruption) {
            throw interrupted(interruption);
        }
    }

    private static SwitchyardException interrupted(InterruptedException interruption) {
        Thread.currentThread().interrupt();
        return new SwitchyardException.Connection(interruption);
    }
}

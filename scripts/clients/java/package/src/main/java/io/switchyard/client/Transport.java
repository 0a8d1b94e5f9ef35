package io.switchyard.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** What sends a request, such as <code>request -&gt; client.send(request, BodyHandlers.ofInputStream())</code>. */
public interface Transport {
    HttpResponse<InputStream> send(HttpRequest request) throws IOException, InterruptedException;
}

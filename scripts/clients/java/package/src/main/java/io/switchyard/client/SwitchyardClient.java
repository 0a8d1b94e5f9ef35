package io.switchyard.client;

import io.switchyard.client.api.AdminApi;
import io.switchyard.client.api.AgentsApi;
import io.switchyard.client.api.AiFeaturesApi;
import io.switchyard.client.api.ChatApi;
import io.switchyard.client.api.FactoryApi;
import io.switchyard.client.api.FactoryJobsApi;
import io.switchyard.client.api.HealthApi;
import io.switchyard.client.api.ModelsApi;
import io.switchyard.client.api.PublicDemoApi;
import io.switchyard.client.api.UsageApi;
import java.net.http.HttpClient;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The client: one method for each part of the interface, and in it one for each operation. Several threads may use it at
 * once. Every error reply is thrown as a {@link SwitchyardException}.
 */
public final class SwitchyardClient {
    private final Caller caller;

    private SwitchyardClient(Caller caller) {
        this.caller = caller;
    }

    public ChatApi chat() {
        return new ChatApi(caller);
    }

    public ModelsApi models() {
        return new ModelsApi(caller);
    }

    public AgentsApi agents() {
        return new AgentsApi(caller);
    }

    public AiFeaturesApi features() {
        return new AiFeaturesApi(caller);
    }

    public UsageApi usage() {
        return new UsageApi(caller);
    }

    public FactoryApi factory() {
        return new FactoryApi(caller);
    }

    public PublicDemoApi demo() {
        return new PublicDemoApi(caller);
    }

    public FactoryJobsApi jobs() {
        return new FactoryJobsApi(caller);
    }

    /** With the administrator's password in place of a key. */
    public AdminApi admin() {
        return new AdminApi(caller);
    }

    public HealthApi health() {
        return new HealthApi(caller);
    }

    public static Builder builder() {
        return new Builder();
    }

    /** How a client is made. */
    public static final class Builder {
        private String apiKey = System.getenv("SWITCHYARD_API_KEY");
        private String baseUrl = "http://127.0.0.1:8080";
        private int maxRetries = 2;
        private Duration timeout = Duration.ofMinutes(5);
        private final Map<String, String> headers = new LinkedHashMap<>();
        private Transport transport;

        /** By default the environment variable SWITCHYARD_API_KEY. */
        public Builder apiKey(String key) {
            apiKey = key;
            return this;
        }

        /** Where the server is reached. */
        public Builder baseUrl(String url) {
            baseUrl = url;
            return this;
        }

        /** How often a request is repeated after an error that is worth it, 0 for never. */
        public Builder maxRetries(int retries) {
            maxRetries = retries;
            return this;
        }

        /** The longest silence of the server, before its reply and within it. */
        public Builder timeout(Duration longest) {
            timeout = longest;
            return this;
        }

        /** A header of every request. */
        public Builder header(String name, String value) {
            headers.put(name, value);
            return this;
        }

        /** What sends the requests, with a proxy of yours for instance. */
        public Builder transport(Transport sender) {
            transport = sender;
            return this;
        }

        public SwitchyardClient build() {
            Transport sender = transport;
            if (sender == null) {
                HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
                sender = request -> client.send(request, BodyHandlers.ofInputStream());
            }
            return new SwitchyardClient(
                new Caller(baseUrl, apiKey, maxRetries, timeout, Map.copyOf(headers), sender));
        }
    }
}

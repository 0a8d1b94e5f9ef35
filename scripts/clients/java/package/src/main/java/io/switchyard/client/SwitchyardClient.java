package io.switchyard.client;

// if runAgent
import io.switchyard.client.api.AgentsApi;
// end if
// if useFeature
import io.switchyard.client.api.AiFeaturesApi;
// end if
import io.switchyard.client.api.ChatApi;
import io.switchyard.client.api.ModelsApi;
import io.switchyard.client.api.UsageApi;
import io.switchyard.client.model.ErrorObject;
import io.switchyard.client.model.ErrorResponse;
import java.io.IOException;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.Optional;
import okhttp3.OkHttpClient;
import okhttp3.Response;

/** The client: one method for each part of the interface. Every error reply is thrown as a {@link SwitchyardException}. */
public final class SwitchyardClient extends ApiClient {
    private SwitchyardClient(OkHttpClient client) {
        super(client);
    }

    public ChatApi chat() {
        return new ChatApi(this);
    }

    public ModelsApi models() {
        return new ModelsApi(this);
    }

    // if useFeature
    public AiFeaturesApi features() {
        return new AiFeaturesApi(this);
    }

    // end if
    // if runAgent
    public AgentsApi agents() {
        return new AgentsApi(this);
    }

    // end if
    public UsageApi usage() {
        return new UsageApi(this);
    }

    public static Builder builder() {
        return new Builder();
    }

    @Override
    public <T> T handleResponse(Response response, Type returnType) throws ApiException {
        if (response.isSuccessful()) {
            return super.handleResponse(response, returnType);
        }
        String body;
        try (Response closing = response) {
            body = closing.body() == null ? "" : closing.body().string();
        } catch (IOException failure) {
            throw new ApiException(failure);
        }
        ErrorObject error = errorIn(body).orElse(null);
        throw SwitchyardException.of(response.code(), response.headers().toMultimap(), body, error);
    }

    /** The error that the body of a reply describes, if it is one of Switchyard. */
    static Optional<ErrorObject> errorIn(String body) {
        try {
            return Optional.ofNullable(ErrorResponse.fromJson(body)).map(ErrorResponse::getError);
        } catch (IOException | RuntimeException unreadable) {
            return Optional.empty();
        }
    }

    /** How a client is made. */
    public static final class Builder {
        private String apiKey = System.getenv("SWITCHYARD_API_KEY");
        private String baseUrl = "http://127.0.0.1:8080";
        private int maxRetries = 2;
        private Duration timeout = Duration.ofMinutes(5);
        private OkHttpClient httpClient = new OkHttpClient();

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

        /** The longest silence of the server. */
        public Builder timeout(Duration longest) {
            timeout = longest;
            return this;
        }

        /** What the client is built upon, with a proxy or interceptors of yours. */
        public Builder httpClient(OkHttpClient client) {
            httpClient = client;
            return this;
        }

        public SwitchyardClient build() {
            OkHttpClient.Builder http = httpClient.newBuilder().readTimeout(timeout).writeTimeout(timeout);
            http.interceptors().add(0, new RetryInterceptor(maxRetries));
            SwitchyardClient client = new SwitchyardClient(http.build());
            client.setBasePath(baseUrl);
            if (apiKey != null) {
                client.setBearerToken(apiKey);
            }
            return client;
        }
    }
}

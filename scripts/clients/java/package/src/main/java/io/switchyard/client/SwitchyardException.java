package io.switchyard.client;

import io.switchyard.client.model.ErrorObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An error reply. {@link #getCode()} is its HTTP status, {@link #getError()} what it says. */
public class SwitchyardException extends ApiException {
    private static final long serialVersionUID = 1L;
    private final transient ErrorObject error;

    SwitchyardException(int status, Map<String, List<String>> headers, String body, ErrorObject error) {
        super(error == null ? "The server answered " + status + " without saying why." : error.getMessage(),
            status, headers, body);
        this.error = error;
    }

    /** What the reply says; empty when it did not come from Switchyard. */
    public Optional<ErrorObject> getError() {
        return Optional.ofNullable(error);
    }

    @Override
    public String getMessage() {
        return error == null ? "The server answered " + getCode() + " without saying why." : error.getMessage();
    }

    /** Whether the same request may succeed later. */
    public boolean isRetryable() {
        return error == null ? getCode() >= 502 : Boolean.TRUE.equals(error.getRetryable());
    }

    /** Seconds to wait before the same request may succeed; empty where the server does not know. */
    public Optional<Long> getRetryAfter() {
        List<String> values = getResponseHeaders().get("retry-after");
        return values == null ? Optional.empty() : Optional.of(Long.valueOf(values.get(0)));
    }

    /** 400: a field is wrong, or the model is not known. */
    public static class InvalidRequest extends SwitchyardException {
        private static final long serialVersionUID = 1L;
        InvalidRequest(int status, Map<String, List<String>> headers, String body, ErrorObject error) {
            super(status, headers, body, error);
        }
    }

    /** 401: the key is missing or invalid. */
    public static class Authentication extends SwitchyardException {
        private static final long serialVersionUID = 1L;
        Authentication(int status, Map<String, List<String>> headers, String body, ErrorObject error) {
            super(status, headers, body, error);
        }
    }

    /** 403: the key lacks the scope that the operation needs. */
    public static class Permission extends SwitchyardException {
        private static final long serialVersionUID = 1L;
        Permission(int status, Map<String, List<String>> headers, String body, ErrorObject error) {
            super(status, headers, body, error);
        }
    }

    /** 404: there is nothing of this id or at this path. */
    public static class NotFound extends SwitchyardException {
        private static final long serialVersionUID = 1L;
        NotFound(int status, Map<String, List<String>> headers, String body, ErrorObject error) {
            super(status, headers, body, error);
        }
    }

    /** 429: a limit is reached; {@link #getRetryAfter()} says when to come back. */
    public static class RateLimit extends SwitchyardException {
        private static final long serialVersionUID = 1L;
        RateLimit(int status, Map<String, List<String>> headers, String body, ErrorObject error) {
            super(status, headers, body, error);
        }
    }

    /** 5xx: the server or the model provider failed. */
    public static class Server extends SwitchyardException {
        private static final long serialVersionUID = 1L;
        Server(int status, Map<String, List<String>> headers, String body, ErrorObject error) {
            super(status, headers, body, error);
        }
    }

    static SwitchyardException of(int status, Map<String, List<String>> headers, String body, ErrorObject error) {
        switch (status) {
            case 400: return new InvalidRequest(status, headers, body, error);
            case 401: return new Authentication(status, headers, body, error);
            case 403: return new Permission(status, headers, body, error);
            case 404: return new NotFound(status, headers, body, error);
            case 429: return new RateLimit(status, headers, body, error);
            default:
                return status >= 500
                    ? new Server(status, headers, body, error)
                    : new SwitchyardException(status, headers, body, error);
        }
    }
}

package io.switchyard.client;

import com.google.gson.JsonParseException;
import io.switchyard.client.model.ErrorObject;
import io.switchyard.client.model.ErrorResponse;
import java.net.http.HttpHeaders;
import java.util.Map;
import java.util.Optional;

/** A call that failed: an error reply, or no reply at all. */
public class SwitchyardException extends RuntimeException {
    private static final long serialVersionUID = 2L;
    private final int status;
    private final transient HttpHeaders headers;
    private final transient ErrorObject error;

    SwitchyardException(int status, HttpHeaders headers, ErrorObject error) {
        super(error == null ? "The server answered " + status + " without saying why." : error.getMessage());
        this.status = status;
        this.headers = headers;
        this.error = error;
    }

    SwitchyardException(String message, Throwable cause) {
        super(message, cause);
        status = 0;
        headers = HttpHeaders.of(Map.of(), (name, value) -> true);
        error = null;
    }

    /** The HTTP status: 200 when a stream had begun before the error, 0 without a reply. */
    public int getStatus() {
        return status;
    }

    /** What the reply says; empty when it did not come from Switchyard. */
    public Optional<ErrorObject> getError() {
        return Optional.ofNullable(error);
    }

    /** Whether the same request may succeed later. */
    public boolean isRetryable() {
        return error == null ? status >= 502 : Boolean.TRUE.equals(error.getRetryable());
    }

    /** Seconds to wait before the same request may succeed; empty where the server does not know. */
    public Optional<Long> getRetryAfter() {
        return headers.firstValue("retry-after").map(Long::valueOf);
    }

    static SwitchyardException of(int status, HttpHeaders headers, String body) {
        ErrorObject error = errorIn(body);
        switch (status) {
            case 400: return new InvalidRequest(status, headers, error);
            case 401: return new Authentication(status, headers, error);
            case 403: return new Permission(status, headers, error);
            case 404: return new NotFound(status, headers, error);
            case 429: return new RateLimit(status, headers, error);
            default:
                return status >= 500
                    ? new Server(status, headers, error)
                    : new SwitchyardException(status, headers, error);
        }
    }

    private static ErrorObject errorIn(String body) {
        try {
            ErrorResponse reply = Json.GSON.fromJson(body, ErrorResponse.class);
            return reply == null ? null : reply.getError();
        } catch (JsonParseException foreign) {
            return null;
        }
    }

    /** 400: a field is wrong, or the model is not known. */
    public static class InvalidRequest extends SwitchyardException {
        private static final long serialVersionUID = 2L;

        InvalidRequest(int status, HttpHeaders headers, ErrorObject error) {
            super(status, headers, error);
        }
    }

    /** 401: the key is missing or invalid. */
    public static class Authentication extends SwitchyardException {
        private static final long serialVersionUID = 2L;

        Authentication(int status, HttpHeaders headers, ErrorObject error) {
            super(status, headers, error);
        }
    }

    /** 403: the key lacks the scope that the operation needs. */
    public static class Permission extends SwitchyardException {
        private static final long serialVersionUID = 2L;

        Permission(int status, HttpHeaders headers, ErrorObject error) {
            super(status, headers, error);
        }
    }

    /** 404: there is nothing of this id or at this path. */
    public static class NotFound extends SwitchyardException {
        private static final long serialVersionUID = 2L;

        NotFound(int status, HttpHeaders headers, ErrorObject error) {
            super(status, headers, error);
        }
    }

    /** 429: a limit is reached; {@link #getRetryAfter()} says when to come back. */
    public static class RateLimit extends SwitchyardException {
        private static final long serialVersionUID = 2L;

        RateLimit(int status, HttpHeaders headers, ErrorObject error) {
            super(status, headers, error);
        }
    }

    /** 5xx: the server or the model provider failed. */
    public static class Server extends SwitchyardException {
        private static final long serialVersionUID = 2L;

        Server(int status, HttpHeaders headers, ErrorObject error) {
            super(status, headers, error);
        }
    }

    /** The server could not be reached, went away, or was silent for too long. */
    public static class Connection extends SwitchyardException {
        private static final long serialVersionUID = 1L;

        Connection(Exception cause) {
            super("The server could not be reached or went away: " + cause.getMessage(), cause);
        }
    }

    /** A stream ended before its last event: the connection broke, or the server closed it. */
    public static class StreamInterrupted extends SwitchyardException {
        private static final long serialVersionUID = 1L;
        private final long after;

        StreamInterrupted(long after, Exception cause) {
            super("The stream ended before its last event.", cause);
            this.after = after;
        }

        /** The number of the last event that arrived, from which a build or a run can be watched on; 0 if there is none. */
        public long getAfter() {
            return after;
        }
    }
}

package io.switchyard.client;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** A call of an operation of the contract. */
public final class Operation {
    final String credentials;
    final String method;
    final Object body;
    private final String path;
    private final String query;

    /** @param credentials the scheme of the contract by which it is called; empty for a public one */
    public Operation(String credentials, String method, String path) {
        this(credentials, method, path, "", null);
    }

    private Operation(String credentials, String method, String path, String query, Object body) {
        this.credentials = credentials;
        this.method = method;
        this.path = path;
        this.query = query;
        this.body = body;
    }

    /** With a parameter of the path. */
    public Operation in(String name, Object value) {
        return new Operation(credentials, method, path.replace("{" + name + "}", escaped(value)), query, body);
    }

    /** With a parameter of the query, unless it is null. */
    public Operation with(String name, Object value) {
        String pair = value == null ? "" : (query.isEmpty() ? "?" : "&") + name + "=" + escaped(value);
        return new Operation(credentials, method, path, query + pair, body);
    }

    /** With a body, which is written as JSON. */
    public Operation sending(Object value) {
        return new Operation(credentials, method, path, query, value);
    }

    String target() {
        return path + query;
    }

    private static String escaped(Object value) {
        return URLEncoder.encode(value.toString(), StandardCharsets.UTF_8).replace("+", "%20");
    }
}

package io.switchyard.client;

import java.io.FilterInputStream;
import java.io.InputStream;
import java.net.http.HttpHeaders;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A file that is being received. Close it when done. */
public final class Download extends FilterInputStream {
    private static final Pattern NAME = Pattern.compile("filename=\"([^\"]*)\"");
    private final String name;

    Download(InputStream body, HttpHeaders headers) {
        super(body);
        Matcher found = NAME.matcher(headers.firstValue("content-disposition").orElse(""));
        name = found.find() ? found.group(1) : null;
    }

    /** What the server calls the file; empty if it does not say. */
    public Optional<String> name() {
        return Optional.ofNullable(name);
    }
}

package io.switchyard.client;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.StringJoiner;

/**
 * The events of a stream as they arrive, to be read once. The last event of the contract ends them. An error event is thrown
 * as a {@link SwitchyardException}, and a stream that ends before its last event as a
 * {@link SwitchyardException.StreamInterrupted}. Closing it closes the connection; it is closed at its end by itself.
 */
public final class EventStream<E> implements Iterable<E>, Iterator<E>, AutoCloseable {
    private final Reply reply;
    private final Class<E> type;
    private final BufferedReader lines;
    private E next;
    private boolean over;
    private long lastSeq;

    EventStream(Reply reply, Class<E> type) {
        this.reply = reply;
        this.type = type;
        lines = new BufferedReader(new InputStreamReader(reply.body(), StandardCharsets.UTF_8));
    }

    @Override
    public Iterator<E> iterator() {
        return this;
    }

    @Override
    public boolean hasNext() {
        if (next == null && !over) {
            read();
        }
        return next != null;
    }

    @Override
    public E next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        E event = next;
        next = null;
        return event;
    }

    @Override
    public void close() {
        over = true;
        try {
            reply.body().close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private void read() {
        String data;
        try {
            data = nextData();
        } catch (IOException failure) {
            close();
            throw new SwitchyardException.StreamInterrupted(lastSeq, failure);
        }
        if (data == null) {
            close();
            throw new SwitchyardException.StreamInterrupted(lastSeq, null);
        }
        JsonObject json = JsonParser.parseString(data).getAsJsonObject();
        String name = json.get("type").getAsString();
        if (name.equals("error") && json.has("error")) {
            close();
            throw SwitchyardException.of(reply.status(), reply.headers(), data);
        }
        JsonElement seq = json.get("seq");
        if (seq != null && !seq.isJsonNull()) {
            lastSeq = seq.getAsLong();
        }
        next = Json.GSON.fromJson(json, type);
        if (name.equals("end") || json.has("final") && json.get("final").getAsBoolean()) {
            close();
        }
    }

    /** The data of the next event (https://html.spec.whatwg.org/multipage/server-sent-events.html); null at the end. */
    private String nextData() throws IOException {
        StringJoiner data = new StringJoiner("\n");
        boolean any = false;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.isEmpty() && any) {
                return data.toString();
            }
            if (line.startsWith("data:")) {
                data.add(line.substring(line.startsWith("data: ") ? 6 : 5));
                any = true;
            }
        }
        return null;
    }
}

package io.switchyard.client;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonDeserializer;
import com.google.gson.JsonPrimitive;
import com.google.gson.JsonSerializer;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.function.Function;

/** How JSON is read and written. */
final class Json {
    static final Gson GSON = new GsonBuilder()
        .registerTypeHierarchyAdapter(Union.class, new Union.Adapter())
        .registerTypeAdapter(OffsetDateTime.class, text(OffsetDateTime::parse))
        .registerTypeAdapter(OffsetDateTime.class, written())
        .registerTypeAdapter(LocalDate.class, text(LocalDate::parse))
        .registerTypeAdapter(LocalDate.class, written())
        .disableHtmlEscaping()
        .create();

    private Json() {}

    private static <T> JsonDeserializer<T> text(Function<String, T> parse) {
        return (json, type, context) -> parse.apply(json.getAsString());
    }

    private static JsonSerializer<Object> written() {
        return (value, type, context) -> new JsonPrimitive(value.toString());
    }
}

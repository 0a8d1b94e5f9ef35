package io.switchyard.client;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonDeserializer;
import com.google.gson.JsonPrimitive;
import com.google.gson.JsonSerializer;
import com.google.gson.TypeAdapter;
import com.google.gson.TypeAdapterFactory;
import com.google.gson.reflect.TypeToken;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonWriter;
import io.switchyard.client.model.ErrorObject;
import java.io.IOException;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.function.Function;

/** How JSON is read and written. */
final class Json {
    static final Gson GSON = new GsonBuilder()
        .registerTypeAdapterFactory(new Nulls())
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

    /**
     * Null is not sent where a property has not been set, and is where somebody put it into a map: in a JSON merge patch it
     * deletes (RFC 7396).
     */
    private static final class Nulls implements TypeAdapterFactory {
        private static final Package MODEL = ErrorObject.class.getPackage();

        @Override
        public <T> TypeAdapter<T> create(Gson gson, TypeToken<T> type) {
            boolean sent = Map.class.isAssignableFrom(type.getRawType());
            if (!sent && type.getRawType().getPackage() != MODEL) {
                return null;
            }
            TypeAdapter<T> adapter = gson.getDelegateAdapter(this, type);
            return new TypeAdapter<>() {
                @Override
                public void write(JsonWriter out, T value) throws IOException {
                    boolean before = out.getSerializeNulls();
                    // A property that is null itself is left out by the object around it.
                    out.setSerializeNulls(value == null ? before : sent);
                    try {
                        adapter.write(out, value);
                    } finally {
                        out.setSerializeNulls(before);
                    }
                }

                @Override
                public T read(JsonReader in) throws IOException {
                    return adapter.read(in);
                }
            };
        }
    }
}

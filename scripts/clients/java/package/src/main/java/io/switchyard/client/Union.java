package io.switchyard.client;

import com.google.gson.JsonDeserializationContext;
import com.google.gson.JsonDeserializer;
import com.google.gson.JsonElement;
import com.google.gson.JsonSerializationContext;
import com.google.gson.JsonSerializer;
import java.lang.reflect.Constructor;
import java.lang.reflect.Type;
import java.util.Objects;

/** A value of one of several types. What is not known yet is as Gson makes it, such as a map. */
public abstract class Union {
    private Object value;

    protected Union() {}

    protected Union(Object value) {
        this.value = Objects.requireNonNull(value);
    }

    /** The value itself, to be asked for its type. */
    public Object value() {
        return value;
    }

    /** The property that says which type a JSON object is of; null where there is none. */
    protected String property() {
        return null;
    }

    /** The type that goes by a name in that property; null for one that is not known. */
    protected Class<?> typeNamed(String name) {
        return null;
    }

    static final class Adapter implements JsonSerializer<Union>, JsonDeserializer<Union> {
        @Override
        public JsonElement serialize(Union union, Type type, JsonSerializationContext context) {
            return context.serialize(union.value);
        }

        @Override
        public Union deserialize(JsonElement json, Type type, JsonDeserializationContext context) {
            Union union = emptyOf((Class<?>) type);
            Class<?> known = null;
            if (union.property() != null && json.isJsonObject() && json.getAsJsonObject().has(union.property())) {
                known = union.typeNamed(json.getAsJsonObject().get(union.property()).getAsString());
            }
            union.value = context.deserialize(json, known == null ? Object.class : known);
            return union;
        }

        private static Union emptyOf(Class<?> type) {
            try {
                Constructor<?> constructor = type.getDeclaredConstructor();
                constructor.setAccessible(true);
                return (Union) constructor.newInstance();
            } catch (ReflectiveOperationException impossible) {
                throw new IllegalStateException(impossible);
            }
        }
    }
}

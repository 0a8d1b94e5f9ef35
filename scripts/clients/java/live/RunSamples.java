import io.switchyard.client.SwitchyardException;
import io.switchyard.client.model.ErrorCode;
import java.lang.reflect.InvocationTargetException;

/** Runs the samples whose classes are named, one after the other by their main methods. Ends with an exception that names one. */
public final class RunSamples {
    public static void main(String[] names) throws Exception {
        for (String name : names) {
            try {
                Class.forName(name).getMethod("main", String[].class).invoke(null, (Object) new String[0]);
            } catch (InvocationTargetException error) {
                if (!needsModel(error.getCause())) {
                    throw new AssertionError("the sample " + name + " failed", error.getCause());
                }
            }
        }
    }

    /** A server without a provider says of some features that they need a model, which is an answer too. */
    private static boolean needsModel(Throwable error) {
        return error instanceof SwitchyardException.InvalidRequest invalid
            && invalid.getError().get().getCode() == ErrorCode.MODEL_REQUIRED;
    }
}

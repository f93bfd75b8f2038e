import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import org.agrona.concurrent.UnsafeBuffer;
import tollgate.MessageHeaderDecoder;

/**
 * Decodes golden frames with the decoders sbe-tool generates from tollgate.xml and prints every field as
 * "message field=value": integers in decimal, unsigned 64-bit ones as signed, enumerations as their wire value,
 * byte arrays in hexadecimal. The decoders are driven by reflection, so that a new message needs no code here.
 */
public final class Decode {
    /** Length of the FIX Simple Open Framing Header. */
    private static final int FRAMING = 6;

    /** Encoding type of SBE 1.0, little-endian. */
    private static final int ENCODING = 0xEB50;

    private Decode() {
    }

    /**
     * Decodes the golden files named.
     *
     * @param args the folder of the golden files, then paths of files in it, each named after its message; those of
     *             an earlier version of the schema lie in a folder of the version
     * @throws Exception if a frame is not what the schema says
     */
    public static void main(final String[] args) throws Exception {
        final Path folder = Path.of(args[0]);
        for (int i = 1; i < args.length; i++) {
            final Path path = Path.of(args[i]);
            final String label = folder.relativize(path).toString().replace(".hex", "");
            decode(label, path.getFileName().toString().replace(".hex", ""), new UnsafeBuffer(read(path)));
        }
    }

    /** Reads hexadecimal digits, blanks without meaning, comments from # to the end of the line. */
    private static byte[] read(final Path path) throws Exception {
        final String digits = Files.readAllLines(path).stream()
            .map(line -> line.replaceAll("#.*", "").replaceAll("\\s", ""))
            .collect(Collectors.joining());
        return HexFormat.of().parseHex(digits);
    }

    private static void decode(
        final String label, final String message, final UnsafeBuffer frame) throws Exception {
        expect(message, "length", frame.capacity(), frame.getInt(0, ByteOrder.BIG_ENDIAN));
        expect(message, "encoding type", ENCODING, frame.getShort(4, ByteOrder.BIG_ENDIAN) & 0xFFFF);
        final MessageHeaderDecoder header = new MessageHeaderDecoder().wrap(frame, FRAMING);
        final Class<?> type = Class.forName("tollgate." + message + "Decoder");
        expect(message, "schema", type.getField("SCHEMA_ID").getInt(null), header.schemaId());
        expect(message, "template", type.getField("TEMPLATE_ID").getInt(null), header.templateId());
        expect(label, "version", label.equals(message) ? type.getField("SCHEMA_VERSION").getInt(null) :
            Integer.parseInt(label.substring(1, label.indexOf('/'))), header.version());
        if (label.equals(message)) {
            expect(message, "block length", type.getField("BLOCK_LENGTH").getInt(null), header.blockLength());
        }
        final Object decoder = type.getConstructor().newInstance();
        type.getMethod("wrap", org.agrona.DirectBuffer.class, int.class, int.class, int.class).invoke(
            decoder, frame, FRAMING + MessageHeaderDecoder.ENCODED_LENGTH, header.blockLength(), header.version());
        for (final String property : properties(type)) {
            print(label, upperFirst(property), decoder, property);
        }
    }

    private static void expect(final String message, final String what, final long want, final long got) {
        if (want != got) {
            throw new IllegalStateException(message + ": " + what + " is " + got + ", want " + want);
        }
    }

    /** Returns the properties of a decoder that take bytes, by their offsets. */
    private static List<String> properties(final Class<?> type) throws Exception {
        final List<String> names = new ArrayList<>();
        final String suffix = "EncodingOffset";
        for (final Method method : type.getMethods()) {
            if (method.getName().endsWith(suffix)) {
                final String name = method.getName().substring(0, method.getName().length() - suffix.length());
                if (constant(type, name + "EncodingLength") > 0) {
                    names.add(name);
                }
            }
        }
        names.sort(Comparator.comparing(name -> constant(type, name + suffix)));
        return names;
    }

    private static int constant(final Class<?> type, final String method) {
        try {
            return (Integer)type.getMethod(method).invoke(null);
        } catch (final NoSuchMethodException | IllegalAccessException | InvocationTargetException ex) {
            throw new IllegalStateException(type + ": " + method, ex);
        }
    }

    /** Prints a property; a composite of several members prints each of them under its own name as well. */
    private static void print(
        final String message, final String name, final Object decoder, final String property) throws Exception {
        final Class<?> type = decoder.getClass();
        final Method getter;
        try {
            getter = type.getMethod(property);
        } catch (final NoSuchMethodException ex) {
            System.out.println(message + " " + name + "=" + array(decoder, property));
            return;
        }
        final Object value = getter.invoke(decoder);
        if (value instanceof Number) {
            System.out.println(message + " " + name + "=" + value);
        } else if (value instanceof Enum) {
            System.out.println(message + " " + name + "=" + value.getClass().getMethod("value").invoke(value));
        } else if (value.getClass().getSimpleName().equals("LoginFlagsDecoder")) {
            System.out.println(message + " " + name + "=" + value.getClass().getMethod("getRaw").invoke(value));
        } else {
            final List<String> members = properties(value.getClass());
            for (final String member : members) {
                print(message, members.size() == 1 ? name : name + upperFirst(member), value, member);
            }
        }
    }

    /** Reads a byte array element by element. */
    private static String array(final Object decoder, final String property) throws Exception {
        final Class<?> type = decoder.getClass();
        final byte[] bytes = new byte[constant(type, property + "Length")];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = ((Number)type.getMethod(property, int.class).invoke(decoder, i)).byteValue();
        }
        return HexFormat.of().formatHex(bytes);
    }

    private static String upperFirst(final String name) {
        return Character.toUpperCase(name.charAt(0)) + name.substring(1);
    }
}

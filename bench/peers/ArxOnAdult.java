// ARX on Adult's lattice of 12,960 nodes, or with local recoding: ArxOnAdult adult.data FOLDER-OF-TAXONOMIES K ETA levels|local
// Prints one line of JSON. Compiled and run by bench/table only where --arx says where ARX's classes are.

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.deidentifier.arx.ARXAnonymizer;
import org.deidentifier.arx.ARXConfiguration;
import org.deidentifier.arx.ARXResult;
import org.deidentifier.arx.AttributeType.Hierarchy;
import org.deidentifier.arx.AttributeType.Hierarchy.DefaultHierarchy;
import org.deidentifier.arx.Data;
import org.deidentifier.arx.Data.DefaultData;
import org.deidentifier.arx.DataHandle;
import org.deidentifier.arx.criteria.KAnonymity;
import org.deidentifier.arx.metric.Metric;

public class ArxOnAdult {
    private static final List<String> NAMES = List.of(
        "age", "workclass", "fnlwgt", "education", "education-num", "marital-status", "occupation", "relationship", "race",
        "sex", "capital-gain", "capital-loss", "hours-per-week", "native-country", "salary-class");
    private static final String[] QUASI = {
        "age", "workclass", "education", "marital-status", "occupation", "race", "sex", "native-country", "salary-class"};

    public static void main(String[] words) throws Exception {
        boolean local = words[4].equals("local");
        Data data = read(Path.of(words[0]), Path.of(words[1]));
        ARXConfiguration configuration = ARXConfiguration.create();
        configuration.addPrivacyModel(new KAnonymity(Integer.parseInt(words[2])));
        // Local recoding recodes again what is suppressed, a hundredth of the rows at a time.
        configuration.setSuppressionLimit(local ? 0.99 : Double.parseDouble(words[3]));
        configuration.setQualityModel(local ? Metric.createLossMetric(0d) : Metric.createLossMetric());
        ARXResult result = new ARXAnonymizer().anonymize(data, configuration);
        DataHandle output = result.getOutput();
        if (local) {
            result.optimizeIterativeFast(output, 0.01);
        }
        System.out.println("{\"rows\": " + output.getNumRows() + ", \"k\": " + words[2] + "}");
    }

    private static Data read(Path table, Path folder) throws Exception {
        DefaultData data = Data.create();
        data.add(QUASI);
        TreeSet<Integer> ages = new TreeSet<>();
        for (String line : Files.readAllLines(table)) {
            String[] cells = Arrays.stream(line.split(",")).map(String::trim).toArray(String[]::new);
            if (cells.length != NAMES.size()) {
                continue;
            }
            String[] row = Arrays.stream(QUASI).map(name -> cells[NAMES.indexOf(name)]).toArray(String[]::new);
            if (!Arrays.asList(row).contains("?")) {
                data.add(row);
                ages.add(Integer.parseInt(row[0]));
            }
        }
        data.getDefinition().setAttributeType("age", years(ages));
        for (String name : Arrays.copyOfRange(QUASI, 1, QUASI.length)) {
            data.getDefinition().setAttributeType(name, tree(folder.resolve(name + ".csv")));
        }
        return data;
    }

    private static Hierarchy years(TreeSet<Integer> ages) {
        DefaultHierarchy hierarchy = Hierarchy.create();
        for (int age : ages) {
            List<String> levels = new ArrayList<>(List.of(Integer.toString(age)));
            for (int width : new int[] {5, 10, 20}) {
                levels.add("[" + age / width * width + ", " + (age / width * width + width) + ")");
            }
            levels.add("*");
            hierarchy.add(levels.toArray(String[]::new));
        }
        return hierarchy;
    }

    private static Hierarchy tree(Path path) throws Exception {
        DefaultHierarchy hierarchy = Hierarchy.create();
        for (String line : Files.readAllLines(path)) {
            hierarchy.add(Arrays.stream(line.split(";")).map(String::trim).toArray(String[]::new));
        }
        return hierarchy;
    }
}
